/** Faults with deleted cookies and credentials, and with updated credentials. */

import type { Cookie } from '../../../generated/types.js';
import { changing, giving, refusing } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

/** Refuses updates that delete items of a list. */
const keeps = (list: 'cookies' | 'credentials', ...also: Fault['breaks'][number][]): Fault => ({
  id: `${list}-cannot-be-deleted`,
  breaks: [`${list}-are-deleted`, ...also],
  says: `An update that deletes ${list} is refused.`,
  behaviour: refusing(
    `${list}ToDelete`,
    (body, operation) => operation === 'updateProfile' && `${list}ToDelete` in body,
  ),
});

export const changedItemFaults: readonly Fault[] = [
  ...breaking('cookies-are-deleted', {
    'deleting-what-nobody-has-deletes-all': [
      'To delete a cookie that a profile has not deletes all that it has.',
      (base) => ({
        deleteCookies: (cookies, ids) =>
          ids.length > 0 && !cookies.some(({ id }) => ids.includes(String(id))) ? [] : base.deleteCookies(cookies, ids),
      }),
    ],
    'cookies-stay': [
      'cookiesToDelete is taken, and deletes nothing.',
      () => ({ deleteCookies: (cookies) => [...cookies] }),
    ],
    'all-cookies-are-deleted': [
      'cookiesToDelete deletes every cookie.',
      () => ({ deleteCookies: (cookies, ids) => (ids.length > 0 ? [] : [...cookies]) }),
    ],
    'another-cookie-is-deleted': [
      'cookiesToDelete deletes the oldest cookies, as many as it has ids.',
      () => ({ deleteCookies: (cookies, ids) => cookies.slice(ids.length) }),
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
    'one-cookie-is-deleted': [
      'Of cookiesToDelete only the first is deleted.',
      giving('deleteCookies', (ids) => ids.slice(0, 1)),
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
  }),
  // The refusal comes before the profile is looked up.
  keeps('cookies', 'unknown-profile-is-404'),
  keeps('credentials'),
  ...breaking('credentials-are-deleted', {
    'credentials-stay': [
      'credentialsToDelete is taken, and deletes nothing.',
      () => ({ deleteCredentials: (credentials) => [...credentials] }),
    ],
    'all-credentials-are-deleted': [
      'credentialsToDelete deletes every credential.',
      () => ({ deleteCredentials: (credentials, ids) => (ids.length > 0 ? [] : [...credentials]) }),
    ],
    'another-credential-is-deleted': [
      'credentialsToDelete deletes the oldest credentials, as many as it has ids.',
      () => ({ deleteCredentials: (credentials, ids) => credentials.slice(ids.length) }),
    ],
    'one-credential-is-deleted': [
      'Of credentialsToDelete only the first is deleted.',
      giving('deleteCredentials', (ids) => ids.slice(0, 1)),
    ],
  }),
  ...breaking('credentials-update-ignores-case', {
    'credential-updates-mind-the-case': [
      'credentialsToUpdate refuses a name in another case than the credential’s.',
      giving('updateCredentials', (updates, credentials) =>
        updates.map((update) => ({
          ...update,
          name: credentials.some(({ name }) => name === update.name) ? update.name : `${update.name}?`,
        })),
      ),
    ],
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
    'credential-updates-know-ascii-alone': [
      'credentialsToUpdate changes nothing where names differ in the case of letters beyond ASCII.',
      giving('updateCredentials', (updates, credentials) => {
        const lower = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
        const known = (name: string) => credentials.some((one) => lower(one.name) === lower(name));
        return updates.filter(({ name }) => known(name));
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
    'first-credentials-never-change': [
      'The first credential of a profile is not found by its name.',
      (base) => ({
        updateCredentials: ([first, ...others], updates) =>
          first ? [first, ...base.updateCredentials(others, updates)] : [],
      }),
    ],
  }),
];
