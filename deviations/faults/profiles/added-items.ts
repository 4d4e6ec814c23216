import type { Fault } from '../../fault.js';

function anew(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

const dayOf = (time: string): string => new Date(time).toISOString().replace(/T.*/, 'T00:00:00.000Z');

function rewritten(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data));
  } catch {
    return data;
  }
}

/** Faults with added cookies and credentials. */
export const addedItemFaults: readonly Fault[] = [
  {
    id: 'cookies-of-json-are-written-anew',
    breaks: ['cookies-are-added'],
    says: 'A value of a cookie that is JSON is stored as it would be written anew.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.map((one) => ({ ...one, value: anew(one.value) })),
          ...rest,
        ),
    }),
  },
  {
    id: 'cookies-of-a-value-are-one',
    breaks: ['cookies-are-added'],
    says: 'Of cookies with one value that are added together only the first is.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.filter(({ value }, place) => !added.slice(0, place).some((one) => one.value === value)),
          ...rest,
        ),
    }),
  },
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
    id: 'cookies-expire-at-midnight',
    breaks: ['cookies-are-added'],
    says: 'Of the expiry of a cookie the day is kept.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.map(({ expiry, ...cookie }) => ({ ...cookie, ...(expiry && { expiry: dayOf(expiry) }) })),
          ...rest,
        ),
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
    id: 'third-credentials-are-lost',
    breaks: ['credentials-are-added'],
    says: 'Of several credentials that are added together the third is lost.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) =>
        base.addCredentials(
          credentials,
          added.filter((_, place) => place !== 2),
          ...rest,
        ),
    }),
  },
  {
    id: 'credentials-of-json-are-written-anew',
    breaks: ['credentials-are-added'],
    says: 'Data of credentials that is JSON is parsed, and written as JSON again.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) =>
        base.addCredentials(
          credentials,
          added.map(({ data, ...credential }) => ({ ...credential, data: rewritten(data) })),
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
];
