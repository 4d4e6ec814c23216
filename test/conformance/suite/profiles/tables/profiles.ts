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
    ['kept', 'nothing of it done', [baseline(), refusedUpdate({ ...changed, name: '' }), baseline()]],
    ['kept', 'two of them', [baseline(), refusedUpdate({ name: 5 }), refusedUpdate(changed), baseline()]],
    ['kept', 'a cookie not added', [baseline(), refusedUpdate({ cookiesToAdd: [cookie('a')] }), baseline()]],
    [
      'kept',
      'another setting changed: update-is-partial speaks of it',
      [baseline(), refusedUpdate(changed), baseline({ extraStealth: true })],
    ],
    [
      'kept',
      'a flag that somebody else turns now and then',
      [
        ...[false, true, true, false].map((extraStealth) => baseline({ extraStealth })),
        refusedUpdate({ ...changed, extraStealth: true }),
        baseline({ extraStealth: true }),
      ],
    ],
    [
      'broken',
      'the data of a credential taken',
      [
        update({ credentialsToAdd: [{ name: 'a', data: 'one' }] }, held('one')),
        refusedUpdate({ name: '', credentialsToUpdate: [{ name: 'a', data: 'two' }] }),
        baseline(held('two')),
      ],
      { says: 'data of credentials as it was' },
    ],
    [
      'broken',
      'its valid field done',
      [baseline(), refusedUpdate({ ...changed, name: '' }), baseline(changed)],
      { says: ['description "Signs in." after an update that was refused', '"Changed."'] },
    ],
    ['broken', 'its invalid field done', [baseline(), refusedUpdate({ name: '' }), baseline({ name: '' })]],
    [
      'broken',
      'a cookie added',
      [baseline(), refusedUpdate({ cookiesToAdd: [cookie('a'), {}] }), baseline({ cookies: [cookie('a')] })],
      { says: 'cookies' },
    ],
    [
      'broken',
      'the first of two',
      [baseline(), refusedUpdate(changed), refusedUpdate({ name: '' }), baseline(changed)],
    ],
    [
      'untouched',
      'one that would have changed nothing',
      [baseline(), refusedUpdate({ description: 'Signs in.' }), baseline()],
    ],
    [
      'untouched',
      'one whose field is sent again',
      [baseline(), refusedUpdate({ name: '' }), update({ name: 'X' }, { name: 'X' })],
    ],
    ['untouched', 'no look afterwards', [baseline(), refusedUpdate(changed)]],
    ['untouched', 'no look before', [refusedUpdate(changed), baseline(changed)]],
    ['untouched', 'a limit of rate', [baseline(), refusedUpdate(changed, { status: 429 }), baseline()]],
    ['untouched', 'a failure', [baseline(), refusedUpdate(changed, { status: 500 }), baseline(changed)]],
    ['untouched', 'a recording', [baseline(), refusedUpdate(changed), baseline(changed)].map(recorded)],
    ['untouched', 'no refusal', [baseline(), update(changed, changed)]],
    [
      'untouched',
      'one that was sent again',
      [baseline(), refusedUpdate(changed, { mark: { superseded: true } }), baseline()],
    ],
  ],

  'update-keeps-identity': [
    ['kept', 'the same, and later', [baseline(), update(changed, changed)]],
    ['kept', 'in a recording', [recorded(baseline()), recorded(update(changed, changed))]],
    ['kept', 'the same time, as nothing changed', [baseline(at('01.5Z')), baseline(at('01.500Z'))]],
    [
      'kept',
      'two in one second, by a clock of seconds',
      [baseline(at('01Z'), { at: 0 }), update(changed, { ...changed, ...at('01Z') }, { at: 900 })],
    ],
    [
      'kept',
      'two in one millisecond',
      [baseline(at('01.5Z'), { at: 0, durationMs: 1 }), update(changed, { ...changed, ...at('01.5Z') }, { at: 2 })],
    ],
    [
      'kept',
      'the same time in a recording, where something else may have changed it',
      [recorded(baseline(at('01.5Z'))), recorded(update(changed, { ...changed, ...at('01.5Z') }))],
    ],
    [
      'kept',
      'an earlier time of an update at the same time',
      [baseline(at('02.5Z'), { at: 0, durationMs: 50 }), baseline(at('01.5Z'), { at: 10 })],
    ],
    ['broken', 'another id', [baseline({ id: another.profile })], { says: another.profile }],
    [
      ['kept', 'kept', 'kept', 'broken'],
      'a little back each time',
      ['09.5Z', '08.5Z', '07.5Z', '05.5Z'].map((time) => baseline(at(time))),
      { says: '09.5Z' },
    ],
    [
      ['kept', 'broken'],
      'another organization',
      [baseline(), baseline({ organizationId: another.organization })],
      { says: `organizationId "${organization}"` },
    ],
    [
      ['kept', 'broken'],
      'another createdAt',
      [recorded(baseline()), recorded(baseline({ createdAt: '2026-03-02T12:00:00.101Z' }))],
    ],
    [
      'broken',
      'a copy that was created when it was not made',
      [
        duplicate({ createdAt: '2001-01-01T00:00:00Z' }),
        baseline({ id: another.profile }, { resource: another.profile }),
      ],
      { says: 'createdAt "2001-01-01T00:00:00Z"' },
    ],
    [['kept', 'broken'], 'an earlier updatedAt', [baseline(at('09.5Z')), baseline(at('01.5Z'))], { says: 'or later' }],
    ['kept', 'a slightly earlier updatedAt, of another instance', [baseline(at('02.5Z')), baseline(at('01.5Z'))]],
    [
      'kept',
      'the same updatedAt, though it changed',
      [baseline(at('01.5Z')), update(changed, { ...changed, ...at('01.5Z') })],
    ],
    ['untouched', 'a refusal', [refusedUpdate(changed)]],
    ['untouched', 'a duplication', [duplicate()]],
    [
      'kept',
      'a time that is none: the schema says so',
      [baseline({ updatedAt: 'today' }), baseline({ updatedAt: 'now' }), baseline()],
    ],
  ],

  'popup-blocker-requires-adblock': [
    ['kept', 'both', [update(changed, popups(true, true))]],
    ['kept', 'put right', [update({ popupBlockerActive: true }, popups(false, false))]],
    ['kept', 'gone off with adblock', [update({ adblockActive: false }, popups(false, false))]],
    [
      'broken',
      'one without the other',
      [update({ popupBlockerActive: true }, popups(true, false))],
      { says: 'only with adblockActive' },
    ],
    ['broken', 'adblock put off alone', [recorded(update({ adblockActive: false }, popups(true, false)))]],
    ['untouched', 'neither', [update(changed, popups(false, false))]],
    ['untouched', 'a refusal', [refusedUpdate({ popupBlockerActive: true })]],
    ['untouched', 'a duplication', [duplicate(popups(true, false))]],
  ],

  'proxy-password-is-hidden': [
    ['kept', 'server and username', [update(changed, customProxy)]],
    ['kept', 'in a copy', [duplicate(customProxy)]],
    ['kept', 'null', [update(changed, { customProxy: { ...customProxy.customProxy, password: null } })]],
    ['kept', 'a bypass', [update(changed, { customProxy: { ...customProxy.customProxy, bypass: 'localhost' } })]],
    ['kept', 'a mask', [update(changed, { customProxy: { ...customProxy.customProxy, password: '****' } })]],
    [
      'kept',
      'an empty password, as sent',
      [update({ customProxy: { password: '' } }, { customProxy: { server: 'a', password: '' } })],
    ],
    [
      'broken',
      'a password',
      [update(changed, { customProxy: { server: 'a', password: 'secret' } })],
      { says: ['without a password', 'server, password'] },
    ],
    ['broken', 'a password in a copy', [recorded(duplicate({ customProxy: { server: 'a', passwd: 'secret' } }))]],
    [
      'broken',
      'the password that was sent, by another name',
      [update({ customProxy: { password: 'hush' } }, { customProxy: { server: 'a', token: 'hush' } })],
    ],
    [
      'broken',
      'the password that was sent, in an address',
      [
        update(
          { customProxy: { server: 'a', password: 'hush, hush' } },
          { customProxy: { server: 'http://me:hush%2C%20hush@a' } },
        ),
      ],
    ],
    [
      'broken',
      'a password in what belongs to the proxy',
      [duplicate({ customProxy: { server: 'a', authentication: { scheme: 'basic', password: 'secret' } } })],
    ],
    [
      'kept',
      'a mask in what belongs to the proxy',
      [duplicate({ customProxy: { server: 'a', authentication: { scheme: 'basic', password: '****' } } })],
    ],
    [
      'broken',
      'the password that was sent, as a header has it',
      [
        update(
          { customProxy: { username: 'me', password: 'hush' } },
          { customProxy: { server: 'a', headers: ['Basic bWU6aHVzaA=='] } },
        ),
      ],
    ],
    [
      'kept',
      'an address that was sent with the password in it',
      [
        update(
          { customProxy: { server: 'http://me:hushhush@a', password: 'hushhush' } },
          { customProxy: { server: 'http://me:hushhush@a' } },
        ),
      ],
    ],
    [
      'kept',
      'a short password that stands in an address for another reason',
      [update({ customProxy: { server: 'a', password: 'http' } }, { customProxy: { server: 'http://a' } })],
    ],
    [
      ['kept', 'broken'],
      'the password that was sent, beside the proxy',
      [update({ customProxy: { password: 'hush' } }, { ...customProxy, proxy: [{ token: 'hush' }] })],
      { says: 'a profile without the password' },
    ],
    [
      'broken',
      'the password that was sent, in an address beside the proxy',
      [update({ customProxy: { password: 'hush, hush' } }, { proxyUrl: 'http://me:hush%2C%20hush@a' })],
    ],
    [
      ['kept', 'kept', 'broken'],
      'the password that was sent, in a later copy',
      [
        update({ customProxy: { password: 'hush, hush' } }, customProxy),
        duplicate({ ...customProxy, description: 'hush, hush' }),
      ],
    ],
    [
      'kept',
      'in a recording, the password that was sent, in a later copy',
      [
        recorded(update({ customProxy: { password: 'hush, hush' } }, customProxy)),
        recorded(duplicate({ ...customProxy, description: 'hush, hush' })),
      ],
    ],
    [
      'kept',
      'a user name that is the password as well',
      [update({ customProxy: { username: 'hush', password: 'hush' } }, { customProxy: { username: 'hush' } })],
    ],
    [
      'kept',
      'in a recording, a description that is the password as well',
      [recorded(update({ customProxy: { password: 'hush' } }, { ...customProxy, description: 'hush' }))],
    ],
    ['untouched', 'no proxy', [update(changed), duplicate()]],
    ['untouched', 'a refusal', [refusedUpdate(customProxy)]],
    [
      'untouched',
      'a refusal that shows one',
      [refusedUpdate(customProxy, { body: { customProxy: { password: 'secret' } } })],
    ],
    ['untouched', 'another resource that shows one', [reading('running', { customProxy: { password: 'secret' } })]],
  ],
} satisfies Tables;
