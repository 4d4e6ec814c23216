/** Faults with deleted cookies and credentials, and with updated credentials. */

import type { Cookie } from '../../../generated/types.js';
import { changing, giving, refusing } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

export const changedItemFaults: readonly Fault[] = [
  ...breaking('cookies-are-deleted', {
    'deleting-what-nobody-has-deletes-all': [
      'To delete a cookie that a profile has not deletes all that it has.',
      (base) => ({
        deleteCookies: (cookies, ids) =>
          ids.length > 0 && !cookies.some(({ id }) => ids.includes(String(id))) ? [] : base.deleteCookies(cookies, ids),
      }),
    ],
    'all-cookies-are-deleted': [
      'cookiesToDelete deletes every cookie.',
      () => ({ deleteCookies: (cookies, ids) => (ids.length > 0 ? [] : [...cookies]) }),
    ],
    'cookies-of-the-domain-are-deleted': [
      'cookiesToDelete deletes every cookie of the same domain.',
      () => ({
        deleteCookies: (cookies, ids) => {
          const gone = cookies.filter(({ id }) => id !== undefined && ids.includes(id)).map(({ domain }) => domain);
          return cookies.filter(({ domain }) => !gone.includes(domain));
        },
      }),
    ],
    'deleted-cookies-come-back': [
      'Cookies that were deleted are there again when others are added.',
      (base) => {
        const gone = new Map<string, Cookie>();
        return {
          deleteCookies: (cookies, ids) => {
            for (const cookie of cookies) if (cookie.id && ids.includes(cookie.id)) gone.set(cookie.id, cookie);
            return base.deleteCookies(cookies, ids);
          },
          addCookies: (cookies, added, ...rest) => {
            const there = new Set(cookies.map(({ id }) => id));
            const back = added.length > 0 ? [...gone.values()].filter(({ id }) => !there.has(id)) : [];
            return [...back, ...base.addCookies(cookies, added, ...rest)];
          },
        };
      },
      'cookies-are-added',
    ],
    'deletions-reset-other-cookies': [
      'Cookies that are not deleted lose httpOnly when others are.',
      (base) => ({
        deleteCookies: (cookies, ids) =>
          base
            .deleteCookies(cookies, ids)
            .map((cookie) => (ids.length > 0 && cookie.id ? { ...cookie, httpOnly: false } : cookie)),
      }),
    ],
    'cookies-cannot-be-deleted': [
      'An update that deletes cookies is refused, also one of a profile that is not there.',
      refusing('cookiesToDelete', (body, operation) => operation === 'updateProfile' && 'cookiesToDelete' in body),
      'unknown-profile-is-404',
    ],
  }),
  ...breaking('credentials-are-deleted', {
    'all-credentials-are-deleted': [
      'credentialsToDelete deletes every credential.',
      () => ({ deleteCredentials: (credentials, ids) => (ids.length > 0 ? [] : [...credentials]) }),
    ],
  }),
  ...breaking('credentials-update-ignores-case', {
    'credential-updates-skip-other-cases': [
      'credentialsToUpdate changes nothing under a name in another case than the credential’s.',
      () => ({
        updateCredentials: (credentials, updates) =>
          credentials.map((credential) => ({
            ...credential,
            ...updates.find(({ name }) => name === credential.name),
          })),
      }),
    ],
    'credential-updates-add': [
      'credentialsToUpdate adds a credential under a name in another case than the credential’s.',
      () => ({
        updateCredentials: (credentials, updates) => [
          ...credentials,
          ...updates
            .filter((update) => !credentials.some(({ name }) => name === update.name))
            .map(({ name, data = '' }) => ({ name, data })),
        ],
      }),
    ],
    'credential-updates-change-all': [
      'credentialsToUpdate leaves only the credentials that it names.',
      changing('updateCredentials', (updated, _credentials, updates) => {
        const names = updates.map(({ name }) => name.toLowerCase());
        return updates.length > 0 ? updated.filter(({ name }) => names.includes(name.toLowerCase())) : updated;
      }),
      'credentials-are-deleted',
    ],
    'empty-credential-data-is-not-set': [
      'A credential keeps its data if an update has empty data for it.',
      giving('updateCredentials', (updates) => updates.filter(({ data }) => data !== '')),
    ],
    'updated-credential-data-is-trimmed': [
      'The data of an updated credential loses the blanks at its ends.',
      giving('updateCredentials', (updates) =>
        updates.map(({ data, ...one }) => ({ ...one, ...(data !== undefined && { data: data.trim() }) })),
      ),
    ],
    'credential-updates-are-patterns': [
      'In a name of credentialsToUpdate an underscore stands for any character.',
      changing('updateCredentials', (updated, _credentials, updates) => {
        const pattern = (name: string) =>
          new RegExp(`^${name.replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&').replaceAll('_', '.')}$`, 'i');
        return updated.map((credential) => {
          const found = updates.find(({ name }) => pattern(name).test(credential.name));
          return found?.data === undefined ? credential : { ...credential, data: found.data };
        });
      }),
    ],
    'one-credential-is-updated': [
      'Of credentialsToUpdate only the first is taken.',
      giving('updateCredentials', (updates) => updates.slice(0, 1)),
    ],
    'credential-updates-ignore-accents': [
      'In a name of credentialsToUpdate a letter stands for those with an accent as well.',
      (base) => ({
        updateCredentials: (credentials, updates) => {
          base.updateCredentials(credentials, updates);
          const bare = (name: string) => name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
          return credentials.map((credential) => {
            const found = updates.find(({ name }) => bare(name) === bare(credential.name));
            return found?.data === undefined ? credential : { ...credential, data: found.data };
          });
        },
      }),
    ],
    'new-data-ends-at-a-semicolon': [
      'The data of a credential that is updated ends before the first semicolon.',
      giving('updateCredentials', (updates) =>
        updates.map(({ data = '', ...update }) => ({ ...update, data: data.replace(/;.*$/s, '') })),
      ),
    ],
  }),
];
