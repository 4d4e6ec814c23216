import type { Cookie } from '../../generated/types.js';
import { isFields } from '../change.js';
import type { Fault } from '../fault.js';

/** Refuses updates that name what is to go. */
const keeps = (list: 'cookies' | 'credentials', ...also: Fault['breaks'][number][]): Fault => ({
  id: `${list}-cannot-be-deleted`,
  breaks: [`${list}-are-deleted`, ...also],
  says: `An update that deletes ${list} is refused.`,
  behaviour: (base) => ({
    violations: (operation, body) =>
      operation === 'updateProfile' && isFields(body) && `${list}ToDelete` in body
        ? [{ kind: 'value', parameter: `${list}ToDelete`, detail: 'cannot be changed' }]
        : base.violations(operation, body),
  }),
});

/** The cookies and credentials of a profile. */
export const listFaults: readonly Fault[] = [
  // Of nobody's profile as well.
  keeps('cookies', 'unknown-profile-is-404'),
  keeps('credentials'),
  {
    id: 'cookies-are-not-added',
    breaks: ['cookies-are-added'],
    says: 'cookiesToAdd is taken, and adds nothing.',
    behaviour: () => ({ addCookies: (cookies) => [...cookies] }),
  },
  {
    id: 'one-cookie-is-added',
    breaks: ['cookies-are-added'],
    says: 'Of cookiesToAdd only the first is added.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) => base.addCookies(cookies, added.slice(0, 1), ...rest),
    }),
  },
  {
    id: 'added-cookies-replace-all',
    breaks: ['cookies-are-added', 'cookies-are-deleted', 'update-is-partial'],
    says: 'cookiesToAdd takes the place of the cookies that were there.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) => base.addCookies(added.length > 0 ? [] : cookies, added, ...rest),
    }),
  },
  {
    id: 'cookies-become-secure',
    breaks: ['cookies-are-added'],
    says: 'Every cookie that is added is secure.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.map((cookie) => ({ ...cookie, secure: true })),
          ...rest,
        ),
    }),
  },
  {
    id: 'cookies-lose-their-key',
    breaks: ['cookies-are-added'],
    says: 'The key of a cookie is its name in capitals.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.map((cookie) => ({ ...cookie, key: cookie.name.toUpperCase() })),
          ...rest,
        ),
    }),
  },
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
    id: 'credentials-are-not-added',
    breaks: ['credentials-are-added'],
    says: 'credentialsToAdd is taken, and adds nothing.',
    behaviour: () => ({ addCredentials: (credentials) => [...credentials] }),
  },
  {
    id: 'one-credential-is-added',
    breaks: ['credentials-are-added'],
    says: 'Of credentialsToAdd only the last is added.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) => base.addCredentials(credentials, added.slice(-1), ...rest),
    }),
  },
  {
    id: 'added-credentials-replace-all',
    breaks: [
      'credentials-are-added',
      'credentials-are-deleted',
      'credentials-update-ignores-case',
      'update-is-partial',
    ],
    says: 'credentialsToAdd takes the place of the credentials that were there.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) =>
        base.addCredentials(added.length > 0 ? [] : credentials, added, ...rest),
    }),
  },
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
    id: 'one-cookie-is-deleted',
    breaks: ['cookies-are-deleted'],
    says: 'Of cookiesToDelete only the first is deleted.',
    behaviour: (base) => ({ deleteCookies: (cookies, ids) => base.deleteCookies(cookies, ids.slice(0, 1)) }),
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
    id: 'cookies-of-a-name-are-one',
    breaks: ['cookies-are-added'],
    says: 'A cookie that is added takes the place of one of the same name, whatever the domain.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) => {
        const all = base.addCookies(cookies, added, ...rest);
        return all.filter(({ name }, index) => !all.slice(index + 1).some((later) => later.name === name));
      },
    }),
  },
  {
    id: 'cookies-are-not-added-beside-deletions',
    breaks: ['cookies-are-added'],
    says: 'cookiesToAdd adds nothing where cookiesToDelete deletes.',
    behaviour: (base) => {
      let deletes = false;
      return {
        deleteCookies: (cookies, ids) => {
          deletes = ids.length > 0;
          return base.deleteCookies(cookies, ids);
        },
        addCookies: (cookies, added, ...rest) => base.addCookies(cookies, deletes ? [] : added, ...rest),
      };
    },
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
  {
    id: 'profiles-hold-ten-cookies',
    breaks: ['cookies-are-added'],
    says: 'Of more than ten cookies the last ones are dropped.',
    behaviour: (base) => ({ addCookies: (...args) => base.addCookies(...args).slice(0, 10) }),
  },
  {
    id: 'cookie-values-end-at-an-equals-sign',
    breaks: ['cookies-are-added'],
    says: 'The value of a cookie ends before the first equals sign.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.map((cookie) => ({ ...cookie, value: cookie.value.replace(/=.*/, '') })),
          ...rest,
        ),
    }),
  },
  {
    id: 'added-cookies-lose-their-expiry',
    breaks: ['cookie-expiry-is-shown'],
    says: 'A cookie that is added without an id loses its expiry.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.map(({ expiry, ...one }) => ({
            ...one,
            ...(one.id !== undefined && expiry !== undefined && { expiry }),
          })),
          ...rest,
        ),
    }),
  },
  {
    id: 'added-credential-data-is-trimmed',
    breaks: ['credentials-are-added'],
    says: 'The data of an added credential loses the blanks at its ends.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) =>
        base.addCredentials(
          credentials,
          added.map((one) => ({ ...one, data: one.data.trim() })),
          ...rest,
        ),
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
    id: 'credential-data-that-is-a-number-is-one',
    breaks: ['credentials-are-added'],
    says: 'The data of a credential loses zeros at its beginning.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) =>
        base.addCredentials(
          credentials,
          added.map((credential) => ({ ...credential, data: credential.data.replace(/^0+(?=\d)/, '') })),
          ...rest,
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
    id: 'credentials-swap-their-data',
    breaks: ['credentials-are-added'],
    says: 'Each of several credentials that are added has the data of the next one.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) => {
        const dataAt = (place: number) => added[place % added.length]?.data ?? '';
        const swapped = added.map((one, place) => ({ ...one, data: dataAt(place + 1) }));
        return base.addCredentials(credentials, swapped, ...rest);
      },
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
];
