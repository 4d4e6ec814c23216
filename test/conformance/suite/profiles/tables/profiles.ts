import { ofFlags } from '../../../../../deviations/flags.js';
import type { Table, Tables } from '../../../../support/judge-table.js';
import { baseline, cookie, duplicate, known, refusedUpdate, update } from '../../../../support/profiles.js';
import { another, organization, reading, recorded } from '../../../../support/runs.js';
import { coupledFlags } from './coupled-flags.js';

const changed = { description: 'Changed.' };
const customProxy = { customProxy: { server: 'proxy.example.com', username: 'acme' } };
const held = (data: string) => ({ credentials: [known({ name: 'a', data }, 'a')] });
const at = (second: string) => ({ updatedAt: `2026-03-03T12:00:${second}` });

export const profiles = {
  'update-is-atomic': {
    'violated: the data of a credential accepted': {
      given: [
        update({ credentialsToAdd: [{ name: 'a', data: 'one' }] }, held('one')),
        refusedUpdate({ name: '', credentialsToUpdate: [{ name: 'a', data: 'two' }] }),
        baseline(held('two')),
      ],
      says: 'data of credentials as it was',
    },
    'violated: a cookie added': {
      given: [baseline(), refusedUpdate({ cookiesToAdd: [cookie('a'), {}] }), baseline({ cookies: [cookie('a')] })],
      says: 'cookies',
    },
    'ignored: one that would have no effect': [baseline(), refusedUpdate({ description: 'Signs in.' }), baseline()],
    'ignored: no reading before': [refusedUpdate(changed), baseline(changed)],
    'ignored: a limit of rate': [baseline(), refusedUpdate(changed, { status: 429 }), baseline()],
    'ignored: a repeated one': [baseline(), refusedUpdate(changed, { mark: { excluded: true } }), baseline()],
    ...ofFlags(
      [2],
      (flag): Table => ({
        'satisfied: another setting changed: update-is-partial judges that': [
          baseline(),
          refusedUpdate(changed),
          baseline({ [flag]: true }),
        ],
      }),
    ),
  },

  'update-keeps-identity': {
    'violated: another id': { given: [baseline({ id: another.profile })], says: another.profile },
    'satisfied, satisfied, satisfied, violated: a little back each time': {
      given: ['09.5Z', '08.5Z', '07.5Z', '05.5Z'].map((time) => baseline(at(time))),
      says: '09.5Z',
    },
    'violated: a copy with an update before its creation': {
      given: [duplicate(at('09.5Z')), baseline({ id: another.profile, ...at('05.5Z') }, { resource: another.profile })],
      says: '09.5Z',
    },
    'satisfied, violated: another organization': {
      given: [baseline(), baseline({ organizationId: another.organization })],
      says: `organizationId "${organization}"`,
    },
    'violated: a copy with a creation date of another time': {
      given: [
        duplicate({ createdAt: '2001-01-01T00:00:00Z' }),
        baseline({ id: another.profile }, { resource: another.profile }),
      ],
      says: 'createdAt "2001-01-01T00:00:00Z"',
    },
    'ignored: a refusal': [refusedUpdate(changed)],
  },

  ...coupledFlags.rules,

  'proxy-password-is-hidden': {
    'satisfied: null': [update(changed, { customProxy: { ...customProxy.customProxy, password: null } })],
    'satisfied: a bypass': [update(changed, { customProxy: { ...customProxy.customProxy, bypass: 'localhost' } })],
    'satisfied: an empty password, as in the request': [
      update({ customProxy: { password: '' } }, { customProxy: { server: 'a', password: '' } }),
    ],
    'violated: a password': {
      given: [update(changed, { customProxy: { server: 'a', password: 'secret' } })],
      says: ['without a password', 'server, password'],
    },
    'violated: a password in a field of the proxy': [
      duplicate({ customProxy: { server: 'a', authentication: { scheme: 'basic', password: 'secret' } } }),
    ],
    'violated: the password of the request, as in a header': [
      update(
        { customProxy: { username: 'me', password: 'hush' } },
        { customProxy: { server: 'a', headers: ['Basic bWU6aHVzaA=='] } },
      ),
    ],
    'satisfied: a short password that is part of an address by chance': [
      update({ customProxy: { server: 'a', password: 'http' } }, { customProxy: { server: 'http://a' } }),
    ],
    'satisfied, violated: the password of the request, beside the proxy': {
      given: [update({ customProxy: { password: 'hush' } }, { ...customProxy, proxy: [{ token: 'hush' }] })],
      says: 'a profile without the password',
    },
    'violated: the password of the request, in an address beside the proxy': [
      update({ customProxy: { password: 'hush, hush' } }, { proxyUrl: 'http://me:hush%2C%20hush@a' }),
    ],
    'violated: an unknown password, in the address beside its user': [
      update(changed, { customProxy: { server: 'http://m%40e:hush@a', username: 'm@e' } }),
    ],
    'satisfied: an address with a user alone, or with a mask': [
      update(changed, { customProxy: { server: 'http://me@a:3128', username: 'me' } }),
      update(changed, { customProxy: { server: 'http://me:***@a', username: 'me' } }),
    ],
    'satisfied: a user name that equals the password': [
      update({ customProxy: { username: 'hush', password: 'hush' } }, { customProxy: { username: 'hush' } }),
    ],
    'satisfied: in a recording, a description that equals the password': [
      recorded(update({ customProxy: { password: 'hush' } }, { ...customProxy, description: 'hush' })),
    ],
    'ignored: a refusal': [refusedUpdate(customProxy)],
    'ignored: another resource with a password': [reading('running', { customProxy: { password: 'secret' } })],
  },
} satisfies Tables;
