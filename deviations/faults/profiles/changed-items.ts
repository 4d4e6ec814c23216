/** Faults with deleted cookies and credentials, and with updated credentials. */

import type { Cookie } from '../../../generated/types.js';
import { refusing } from '../../change.js';
import type { Fault } from '../../fault.js';

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
  {
    id: 'deleting-what-nobody-has-deletes-all',
    breaks: ['cookies-are-deleted'],
    says: 'To delete a cookie that a profile has not deletes all that it has.',
    behaviour: (base) => ({
      deleteCookies: (cookies, ids) =>
        ids.length > 0 && !cookies.some(({ id }) => ids.includes(String(id))) ? [] : base.deleteCookies(cookies, ids),
    }),
  },
  // The refusal comes before the profile is looked up.
  keeps('cookies', 'unknown-profile-is-404'),
  {
    id: 'cookies-stay',
    breaks: ['cookies-are-deleted'],
    says: 'cookiesToDelete is taken, and deletes nothing.',
    behaviour: () => ({ deleteCookies: (cookies) => [...cookies] }),
  },
  {
    id: 'all-cookies-are-deleted',
    breaks: ['cookies-are-deleted'],
    says: 'cookiesToDelete deletes every cookie.',
    behaviour: () => ({ deleteCookies: (cookies, ids) => (ids.length > 0 ? [] : [...cookies]) }),
  },
  {
    id: 'another-cookie-is-deleted',
    breaks: ['cookies-are-deleted'],
    says: 'cookiesToDelete deletes the oldest cookies, as many as it has ids.',
    behaviour: () => ({ deleteCookies: (cookies, ids) => cookies.slice(ids.length) }),
  },
  {
    id: 'cookies-of-the-domain-are-deleted',
    breaks: ['cookies-are-deleted'],
    says: 'cookiesToDelete deletes every cookie of the same domain.',
    behaviour: () => ({
      deleteCookies: (cookies, ids) => {
        const gone = cookies.filter(({ id }) => id !== undefined && ids.includes(id)).map(({ domain }) => domain);
        return cookies.filter(({ domain }) => !gone.includes(domain));
      },
    }),
  },
  {
    id: 'one-cookie-is-deleted',
    breaks: ['cookies-are-deleted'],
    says: 'Of cookiesToDelete only the first is deleted.',
    behaviour: (base) => ({ deleteCookies: (cookies, ids) => base.deleteCookies(cookies, ids.slice(0, 1)) }),
  },
  {
    id: 'deleted-cookies-come-back',
    breaks: ['cookies-are-deleted', 'cookies-are-added'],
    says: 'Cookies that were deleted are there again when others are added.',
    behaviour: (base) => {
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
  },
  {
    id: 'deletions-reset-other-cookies',
    breaks: ['cookies-are-deleted'],
    says: 'Cookies that are not deleted lose httpOnly when others are.',
    behaviour: (base) => ({
      deleteCookies: (cookies, ids) =>
        base
          .deleteCookies(cookies, ids)
          .map((cookie) => (ids.length > 0 && cookie.id ? { ...cookie, httpOnly: false } : cookie)),
    }),
  },
  keeps('credentials'),
  {
    id: 'credentials-stay',
    breaks: ['credentials-are-deleted'],
    says: 'credentialsToDelete is taken, and deletes nothing.',
    behaviour: () => ({ deleteCredentials: (credentials) => [...credentials] }),
  },
  {
    id: 'all-credentials-are-deleted',
    breaks: ['credentials-are-deleted'],
    says: 'credentialsToDelete deletes every credential.',
    behaviour: () => ({ deleteCredentials: (credentials, ids) => (ids.length > 0 ? [] : [...credentials]) }),
  },
  {
    id: 'another-credential-is-deleted',
    breaks: ['credentials-are-deleted'],
    says: 'credentialsToDelete deletes the oldest credentials, as many as it has ids.',
    behaviour: () => ({ deleteCredentials: (credentials, ids) => credentials.slice(ids.length) }),
  },
  {
    id: 'one-credential-is-deleted',
    breaks: ['credentials-are-deleted'],
    says: 'Of credentialsToDelete only the first is deleted.',
    behaviour: (base) => ({
      deleteCredentials: (credentials, ids) => base.deleteCredentials(credentials, ids.slice(0, 1)),
    }),
  },
  {
    id: 'credential-updates-mind-the-case',
    breaks: ['credentials-update-ignores-case'],
    says: 'credentialsToUpdate refuses a name in another case than the credential’s.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates) =>
        base.updateCredentials(
          credentials,
          updates.map((update) => ({
            ...update,
            name: credentials.some(({ name }) => name === update.name) ? update.name : `${update.name}?`,
          })),
        ),
    }),
  },
  {
    id: 'credential-updates-skip-other-cases',
    breaks: ['credentials-update-ignores-case'],
    says: 'credentialsToUpdate changes nothing under a name in another case than the credential’s.',
    behaviour: () => ({
      updateCredentials: (credentials, updates) =>
        credentials.map((credential) => ({
          ...credential,
          ...updates.find(({ name }) => name === credential.name),
        })),
    }),
  },
  {
    id: 'credential-updates-add',
    breaks: ['credentials-update-ignores-case'],
    says: 'credentialsToUpdate adds a credential under a name in another case than the credential’s.',
    behaviour: () => ({
      updateCredentials: (credentials, updates) => [
        ...credentials,
        ...updates
          .filter((update) => !credentials.some(({ name }) => name === update.name))
          .map(({ name, data = '' }) => ({ name, data })),
      ],
    }),
  },
  {
    id: 'credential-updates-change-all',
    breaks: ['credentials-update-ignores-case', 'credentials-are-deleted'],
    says: 'credentialsToUpdate leaves only the credentials that it names.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates) => {
        const updated = base.updateCredentials(credentials, updates);
        const names = updates.map(({ name }) => name.toLowerCase());
        return updates.length > 0 ? updated.filter(({ name }) => names.includes(name.toLowerCase())) : updated;
      },
    }),
  },
  {
    id: 'updated-credential-data-is-trimmed',
    breaks: ['credentials-update-ignores-case'],
    says: 'The data of an updated credential loses the blanks at its ends.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates) =>
        base.updateCredentials(
          credentials,
          updates.map(({ data, ...one }) => ({ ...one, ...(data !== undefined && { data: data.trim() }) })),
        ),
    }),
  },
  {
    id: 'credential-updates-are-patterns',
    breaks: ['credentials-update-ignores-case'],
    says: 'In a name of credentialsToUpdate an underscore stands for any character.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates) => {
        const updated = base.updateCredentials(credentials, updates);
        const pattern = (name: string) =>
          new RegExp(`^${name.replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&').replaceAll('_', '.')}$`, 'i');
        return updated.map((credential) => {
          const found = updates.find(({ name }) => pattern(name).test(credential.name));
          return found?.data === undefined ? credential : { ...credential, data: found.data };
        });
      },
    }),
  },
  {
    id: 'credential-updates-know-ascii-alone',
    breaks: ['credentials-update-ignores-case'],
    says: 'credentialsToUpdate changes nothing where names differ in the case of letters beyond ASCII.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates) => {
        const lower = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
        const known = (name: string) => credentials.some((one) => lower(one.name) === lower(name));
        return base.updateCredentials(
          credentials,
          updates.filter(({ name }) => known(name)),
        );
      },
    }),
  },
  {
    id: 'one-credential-is-updated',
    breaks: ['credentials-update-ignores-case'],
    says: 'Of credentialsToUpdate only the first is taken.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates) => base.updateCredentials(credentials, updates.slice(0, 1)),
    }),
  },
  {
    id: 'credential-updates-ignore-accents',
    breaks: ['credentials-update-ignores-case'],
    says: 'In a name of credentialsToUpdate a letter stands for those with an accent as well.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates) => {
        base.updateCredentials(credentials, updates);
        const bare = (name: string) => name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
        return credentials.map((credential) => {
          const found = updates.find(({ name }) => bare(name) === bare(credential.name));
          return found?.data === undefined ? credential : { ...credential, data: found.data };
        });
      },
    }),
  },
  {
    id: 'new-data-ends-at-a-semicolon',
    breaks: ['credentials-update-ignores-case'],
    says: 'The data of a credential that is updated ends before the first semicolon.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates) =>
        base.updateCredentials(
          credentials,
          updates.map(({ data = '', ...update }) => ({ ...update, data: data.replace(/;.*$/s, '') })),
        ),
    }),
  },
  {
    id: 'first-credentials-never-change',
    breaks: ['credentials-update-ignores-case'],
    says: 'The first credential of a profile is not found by its name.',
    behaviour: (base) => ({
      updateCredentials: ([first, ...others], updates) =>
        first ? [first, ...base.updateCredentials(others, updates)] : [],
    }),
  },
];
