import { ofFlags } from '../../../../../deviations/flags.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
import { baseline, cookie, duplicate, known, refusedUpdate, update } from '../../../../support/profiles.js';
import { another, organization, reading, recorded } from '../../../../support/runs.js';
import { coupledFlags } from './coupled-flags.js';

const changed = { description: 'Changed.' };
const customProxy = { customProxy: { server: 'proxy.example.com', username: 'acme' } };
const held = (data: string) => ({ credentials: [known({ name: 'a', data }, 'a')] });
const at = (second: string) => ({ updatedAt: `2026-03-03T12:00:${second}` });

export const profiles = {
  'update-is-atomic': {
    'satisfied: nothing of it done': [baseline(), refusedUpdate({ ...changed, name: '' }), baseline()],
    'satisfied: two of them': [baseline(), refusedUpdate({ name: 5 }), refusedUpdate(changed), baseline()],
    'satisfied: a cookie not added': [baseline(), refusedUpdate({ cookiesToAdd: [cookie('a')] }), baseline()],
    'violated: the data of a credential taken': {
      given: [
        update({ credentialsToAdd: [{ name: 'a', data: 'one' }] }, held('one')),
        refusedUpdate({ name: '', credentialsToUpdate: [{ name: 'a', data: 'two' }] }),
        baseline(held('two')),
      ],
      says: 'data of credentials as it was',
    },
    'violated: its valid field done': {
      given: [baseline(), refusedUpdate({ ...changed, name: '' }), baseline(changed)],
      says: ['description "Signs in." after an update that was refused', '"Changed."'],
    },
    'violated: its invalid field done': [baseline(), refusedUpdate({ name: '' }), baseline({ name: '' })],
    'violated: a cookie added': {
      given: [baseline(), refusedUpdate({ cookiesToAdd: [cookie('a'), {}] }), baseline({ cookies: [cookie('a')] })],
      says: 'cookies',
    },
    'violated: the first of two': [baseline(), refusedUpdate(changed), refusedUpdate({ name: '' }), baseline(changed)],
    'ignored: one that would have changed nothing': [
      baseline(),
      refusedUpdate({ description: 'Signs in.' }),
      baseline(),
    ],
    'ignored: one whose field is sent again': [
      baseline(),
      refusedUpdate({ name: '' }),
      update({ name: 'X' }, { name: 'X' }),
    ],
    'ignored: no look afterwards': [baseline(), refusedUpdate(changed)],
    'ignored: no look before': [refusedUpdate(changed), baseline(changed)],
    'ignored: a limit of rate': [baseline(), refusedUpdate(changed, { status: 429 }), baseline()],
    'ignored: a failure': [baseline(), refusedUpdate(changed, { status: 500 }), baseline(changed)],
    'ignored: a recording': [baseline(), refusedUpdate(changed), baseline(changed)].map(recorded),
    'ignored: no refusal': [baseline(), update(changed, changed)],
    'ignored: one that was sent again': [baseline(), refusedUpdate(changed, { mark: { excluded: true } }), baseline()],
    ...all(
      ofFlags(
        [2],
        (flag): Table => ({
          'satisfied: another setting changed: update-is-partial speaks of it': [
            baseline(),
            refusedUpdate(changed),
            baseline({ [flag]: true }),
          ],
          'satisfied: a flag that somebody else turns now and then': [
            ...[false, true, true, false].map((isOn) => baseline({ [flag]: isOn })),
            refusedUpdate({ ...changed, [flag]: true }),
            baseline({ [flag]: true }),
          ],
        }),
      ),
    ),
  },

  'update-keeps-identity': {
    'satisfied: the same, and later': [baseline(), update(changed, changed)],
    'satisfied: in a recording': [recorded(baseline()), recorded(update(changed, changed))],
    'satisfied: the same time, as nothing changed': [baseline(at('01.5Z')), baseline(at('01.500Z'))],
    'satisfied: two in one second, by a clock of seconds': [
      baseline(at('01Z'), { at: 0 }),
      update(changed, { ...changed, ...at('01Z') }, { at: 900 }),
    ],
    'satisfied: two in one millisecond': [
      baseline(at('01.5Z'), { at: 0, durationMs: 1 }),
      update(changed, { ...changed, ...at('01.5Z') }, { at: 2 }),
    ],
    'satisfied: the same time in a recording, where something else may have changed it': [
      recorded(baseline(at('01.5Z'))),
      recorded(update(changed, { ...changed, ...at('01.5Z') })),
    ],
    'satisfied: an earlier time of an update at the same time': [
      baseline(at('02.5Z'), { at: 0, durationMs: 50 }),
      baseline(at('01.5Z'), { at: 10 }),
    ],
    'violated: another id': { given: [baseline({ id: another.profile })], says: another.profile },
    'satisfied, satisfied, satisfied, violated: a little back each time': {
      given: ['09.5Z', '08.5Z', '07.5Z', '05.5Z'].map((time) => baseline(at(time))),
      says: '09.5Z',
    },
    'satisfied, violated: another organization': {
      given: [baseline(), baseline({ organizationId: another.organization })],
      says: `organizationId "${organization}"`,
    },
    'satisfied, violated: another createdAt': [
      recorded(baseline()),
      recorded(baseline({ createdAt: '2026-03-02T12:00:00.101Z' })),
    ],
    'violated: a copy that was created when it was not made': {
      given: [
        duplicate({ createdAt: '2001-01-01T00:00:00Z' }),
        baseline({ id: another.profile }, { resource: another.profile }),
      ],
      says: 'createdAt "2001-01-01T00:00:00Z"',
    },
    'satisfied, violated: an earlier updatedAt': {
      given: [baseline(at('09.5Z')), baseline(at('01.5Z'))],
      says: 'or later',
    },
    'satisfied: a slightly earlier updatedAt, of another instance': [baseline(at('02.5Z')), baseline(at('01.5Z'))],
    'satisfied: the same updatedAt, though it changed': [
      baseline(at('01.5Z')),
      update(changed, { ...changed, ...at('01.5Z') }),
    ],
    'ignored: a refusal': [refusedUpdate(changed)],
    'ignored: a duplication': [duplicate()],
    'satisfied: a time that is none: the schema says so': [
      baseline({ updatedAt: 'today' }),
      baseline({ updatedAt: 'now' }),
      baseline(),
    ],
  },

  ...coupledFlags.rules,

  'proxy-password-is-hidden': {
    'satisfied: server and username': [update(changed, customProxy)],
    'satisfied: in a copy': [duplicate(customProxy)],
    'satisfied: null': [update(changed, { customProxy: { ...customProxy.customProxy, password: null } })],
    'satisfied: a bypass': [update(changed, { customProxy: { ...customProxy.customProxy, bypass: 'localhost' } })],
    'satisfied: a mask': [update(changed, { customProxy: { ...customProxy.customProxy, password: '****' } })],
    'satisfied: an empty password, as sent': [
      update({ customProxy: { password: '' } }, { customProxy: { server: 'a', password: '' } }),
    ],
    'violated: a password': {
      given: [update(changed, { customProxy: { server: 'a', password: 'secret' } })],
      says: ['without a password', 'server, password'],
    },
    'violated: a password in a copy': [recorded(duplicate({ customProxy: { server: 'a', passwd: 'secret' } }))],
    'violated: the password that was sent, by another name': [
      update({ customProxy: { password: 'hush' } }, { customProxy: { server: 'a', token: 'hush' } }),
    ],
    'violated: the password that was sent, in an address': [
      update(
        { customProxy: { server: 'a', password: 'hush, hush' } },
        { customProxy: { server: 'http://me:hush%2C%20hush@a' } },
      ),
    ],
    'violated: a password in what belongs to the proxy': [
      duplicate({ customProxy: { server: 'a', authentication: { scheme: 'basic', password: 'secret' } } }),
    ],
    'satisfied: a mask in what belongs to the proxy': [
      duplicate({ customProxy: { server: 'a', authentication: { scheme: 'basic', password: '****' } } }),
    ],
    'violated: the password that was sent, as a header has it': [
      update(
        { customProxy: { username: 'me', password: 'hush' } },
        { customProxy: { server: 'a', headers: ['Basic bWU6aHVzaA=='] } },
      ),
    ],
    'satisfied: an address that was sent with the password in it': [
      update(
        { customProxy: { server: 'http://me:hushhush@a', password: 'hushhush' } },
        { customProxy: { server: 'http://me:hushhush@a' } },
      ),
    ],
    'satisfied: a short password that stands in an address for another reason': [
      update({ customProxy: { server: 'a', password: 'http' } }, { customProxy: { server: 'http://a' } }),
    ],
    'satisfied, violated: the password that was sent, beside the proxy': {
      given: [update({ customProxy: { password: 'hush' } }, { ...customProxy, proxy: [{ token: 'hush' }] })],
      says: 'a profile without the password',
    },
    'violated: the password that was sent, in an address beside the proxy': [
      update({ customProxy: { password: 'hush, hush' } }, { proxyUrl: 'http://me:hush%2C%20hush@a' }),
    ],
    'satisfied, satisfied, violated: the password that was sent, in a later copy': [
      update({ customProxy: { password: 'hush, hush' } }, customProxy),
      duplicate({ ...customProxy, description: 'hush, hush' }),
    ],
    'satisfied: in a recording, the password that was sent, in a later copy': [
      recorded(update({ customProxy: { password: 'hush, hush' } }, customProxy)),
      recorded(duplicate({ ...customProxy, description: 'hush, hush' })),
    ],
    'satisfied: a user name that is the password as well': [
      update({ customProxy: { username: 'hush', password: 'hush' } }, { customProxy: { username: 'hush' } }),
    ],
    'satisfied: in a recording, a description that is the password as well': [
      recorded(update({ customProxy: { password: 'hush' } }, { ...customProxy, description: 'hush' })),
    ],
    'ignored: no proxy': [update(changed), duplicate()],
    'ignored: a refusal': [refusedUpdate(customProxy)],
    'ignored: a refusal that shows one': [
      refusedUpdate(customProxy, { body: { customProxy: { password: 'secret' } } }),
    ],
    'ignored: another resource that shows one': [reading('running', { customProxy: { password: 'secret' } })],
  },
} satisfies Tables;
