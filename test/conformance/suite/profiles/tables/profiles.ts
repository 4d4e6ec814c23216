import type { Tables } from '../../../../support/judge-table.js';
import { baseline, cookie, duplicate, known, refusedUpdate, update } from '../../../../support/profiles.js';
import { another, organization, reading, recorded } from '../../../../support/runs.js';

const changed = { description: 'Changed.' };
const popups = (popupBlockerActive: boolean, adblockActive: boolean) => ({ popupBlockerActive, adblockActive });
const customProxy = { customProxy: { server: 'proxy.example.com', username: 'acme' } };
const held = (data: string) => ({ credentials: [known({ name: 'a', data }, 'a')] });
const at = (second: string) => ({ updatedAt: `2026-03-03T12:00:${second}` });

export const profiles = {
  'update-is-atomic': [
    ['satisfied', 'a cookie not added', [baseline(), refusedUpdate({ cookiesToAdd: [cookie('a')] }), baseline()]],
    [
      'satisfied',
      'another setting changed: update-is-partial speaks of it',
      [baseline(), refusedUpdate(changed), baseline({ extraStealth: true })],
    ],
    [
      'satisfied',
      'a flag that somebody else turns now and then',
      [
        ...[false, true, true, false].map((extraStealth) => baseline({ extraStealth })),
        refusedUpdate({ ...changed, extraStealth: true }),
        baseline({ extraStealth: true }),
      ],
    ],
    [
      'violated',
      'the data of a credential taken',
      [
        update({ credentialsToAdd: [{ name: 'a', data: 'one' }] }, held('one')),
        refusedUpdate({ name: '', credentialsToUpdate: [{ name: 'a', data: 'two' }] }),
        baseline(held('two')),
      ],
      { says: 'data of credentials as it was' },
    ],
    [
      'violated',
      'its valid field done',
      [baseline(), refusedUpdate({ ...changed, name: '' }), baseline(changed)],
      { says: ['description "Signs in." after an update that was refused', '"Changed."'] },
    ],
    ['violated', 'its invalid field done', [baseline(), refusedUpdate({ name: '' }), baseline({ name: '' })]],
    [
      'violated',
      'a cookie added',
      [baseline(), refusedUpdate({ cookiesToAdd: [cookie('a'), {}] }), baseline({ cookies: [cookie('a')] })],
      { says: 'cookies' },
    ],
    [
      'ignored',
      'one that would have changed nothing',
      [baseline(), refusedUpdate({ description: 'Signs in.' }), baseline()],
    ],
    [
      'ignored',
      'one whose field is sent again',
      [baseline(), refusedUpdate({ name: '' }), update({ name: 'X' }, { name: 'X' })],
    ],
    ['ignored', 'a limit of rate', [baseline(), refusedUpdate(changed, { status: 429 }), baseline()]],
    ['ignored', 'a failure', [baseline(), refusedUpdate(changed, { status: 500 }), baseline(changed)]],
    ['ignored', 'a recording', [baseline(), refusedUpdate(changed), baseline(changed)].map(recorded)],
    [
      'ignored',
      'one that was sent again',
      [baseline(), refusedUpdate(changed, { mark: { retried: true } }), baseline()],
    ],
  ],

  'update-keeps-identity': [
    [
      'satisfied',
      'an earlier time of an update at the same time',
      [baseline(at('02.5Z'), { at: 0, durationMs: 50 }), baseline(at('01.5Z'), { at: 10 })],
    ],
    ['violated', 'another id', [baseline({ id: another.profile })], { says: another.profile }],
    [
      ['satisfied', 'satisfied', 'satisfied', 'violated'],
      'a little back each time',
      ['09.5Z', '08.5Z', '07.5Z', '05.5Z'].map((time) => baseline(at(time))),
      { says: '09.5Z' },
    ],
    [
      ['satisfied', 'violated'],
      'another organization',
      [baseline(), baseline({ organizationId: another.organization })],
      { says: `organizationId "${organization}"` },
    ],
    [
      ['satisfied', 'violated'],
      'another createdAt',
      [recorded(baseline()), recorded(baseline({ createdAt: '2026-03-02T12:00:00.101Z' }))],
    ],
    [
      'violated',
      'a copy that was created when it was not made',
      [
        duplicate({ createdAt: '2001-01-01T00:00:00Z' }),
        baseline({ id: another.profile }, { resource: another.profile }),
      ],
      { says: 'createdAt "2001-01-01T00:00:00Z"' },
    ],
    ['ignored', 'a refusal', [refusedUpdate(changed)]],
    ['ignored', 'a duplication', [duplicate()]],
  ],

  'popup-blocker-requires-adblock': [
    ['satisfied', 'both', [update(changed, popups(true, true))]],
    ['satisfied', 'put right', [update({ popupBlockerActive: true }, popups(false, false))]],
    ['satisfied', 'gone off with adblock', [update({ adblockActive: false }, popups(false, false))]],
    [
      'violated',
      'one without the other',
      [update({ popupBlockerActive: true }, popups(true, false))],
      { says: 'only with adblockActive' },
    ],
    ['ignored', 'neither', [update(changed, popups(false, false))]],
    ['ignored', 'a refusal', [refusedUpdate({ popupBlockerActive: true })]],
    ['ignored', 'a duplication', [duplicate(popups(true, false))]],
  ],

  'proxy-password-is-hidden': [
    ['satisfied', 'null', [update(changed, { customProxy: { ...customProxy.customProxy, password: null } })]],
    [
      'satisfied',
      'an empty password, as sent',
      [update({ customProxy: { password: '' } }, { customProxy: { server: 'a', password: '' } })],
    ],
    [
      'violated',
      'a password',
      [update(changed, { customProxy: { server: 'a', password: 'secret' } })],
      { says: ['without a password', 'server, password'] },
    ],
    [
      'violated',
      'the password that was sent, in an address',
      [
        update(
          { customProxy: { server: 'a', password: 'hush, hush' } },
          { customProxy: { server: 'http://me:hush%2C%20hush@a' } },
        ),
      ],
    ],
    [
      'violated',
      'a password in what belongs to the proxy',
      [duplicate({ customProxy: { server: 'a', authentication: { scheme: 'basic', password: 'secret' } } })],
    ],
    [
      'satisfied',
      'a mask in what belongs to the proxy',
      [duplicate({ customProxy: { server: 'a', authentication: { scheme: 'basic', password: '****' } } })],
    ],
    [
      'violated',
      'the password that was sent, as a header has it',
      [
        update(
          { customProxy: { username: 'me', password: 'hush' } },
          { customProxy: { server: 'a', headers: ['Basic bWU6aHVzaA=='] } },
        ),
      ],
    ],
    [
      'satisfied',
      'an address that was sent with the password in it',
      [
        update(
          { customProxy: { server: 'http://me:hushhush@a', password: 'hushhush' } },
          { customProxy: { server: 'http://me:hushhush@a' } },
        ),
      ],
    ],
    [
      'satisfied',
      'a short password that stands in an address for another reason',
      [update({ customProxy: { server: 'a', password: 'http' } }, { customProxy: { server: 'http://a' } })],
    ],
    [
      ['satisfied', 'violated'],
      'the password that was sent, beside the proxy',
      [update({ customProxy: { password: 'hush' } }, { ...customProxy, proxy: [{ token: 'hush' }] })],
      { says: 'a profile without the password' },
    ],
    [
      ['satisfied', 'satisfied', 'violated'],
      'the password that was sent, in a later copy',
      [
        update({ customProxy: { password: 'hush, hush' } }, customProxy),
        duplicate({ ...customProxy, description: 'hush, hush' }),
      ],
    ],
    [
      'satisfied',
      'in a recording, the password that was sent, in a later copy',
      [
        recorded(update({ customProxy: { password: 'hush, hush' } }, customProxy)),
        recorded(duplicate({ ...customProxy, description: 'hush, hush' })),
      ],
    ],
    [
      'ignored',
      'a refusal that shows one',
      [refusedUpdate(customProxy, { body: { customProxy: { password: 'secret' } } })],
    ],
    ['ignored', 'another resource that shows one', [reading('running', { customProxy: { password: 'secret' } })]],
  ],
} satisfies Tables;
