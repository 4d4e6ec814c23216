import { breaking, type Fault } from '../../fault.js';

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
  ...breaking('cookies-are-added', {
    'cookies-of-json-are-written-anew': [
      'A value of a cookie that is JSON is stored as it would be written anew.',
      (base) => ({
        addCookies: (cookies, added, ...rest) =>
          base.addCookies(
            cookies,
            added.map((one) => ({ ...one, value: anew(one.value) })),
            ...rest,
          ),
      }),
    ],
    'cookies-of-a-value-are-one': [
      'Of cookies with one value that are added together only the first is.',
      (base) => ({
        addCookies: (cookies, added, ...rest) =>
          base.addCookies(
            cookies,
            added.filter(({ value }, place) => !added.slice(0, place).some((one) => one.value === value)),
            ...rest,
          ),
      }),
    ],
    'cookies-are-not-added': [
      'cookiesToAdd is taken, and adds nothing.',
      () => ({ addCookies: (cookies) => [...cookies] }),
    ],
    'one-cookie-is-added': [
      'Of cookiesToAdd only the first is added.',
      (base) => ({
        addCookies: (cookies, added, ...rest) => base.addCookies(cookies, added.slice(0, 1), ...rest),
      }),
    ],
    'added-cookies-replace-all': [
      'cookiesToAdd takes the place of the cookies that were there.',
      (base) => ({
        addCookies: (cookies, added, ...rest) => base.addCookies(added.length > 0 ? [] : cookies, added, ...rest),
      }),
      'cookies-are-deleted',
      'update-is-partial',
    ],
    'cookies-become-secure': [
      'Every cookie that is added is secure.',
      (base) => ({
        addCookies: (cookies, added, ...rest) =>
          base.addCookies(
            cookies,
            added.map((cookie) => ({ ...cookie, secure: true })),
            ...rest,
          ),
      }),
    ],
    'cookies-lose-their-key': [
      'The key of a cookie is its name in capitals.',
      (base) => ({
        addCookies: (cookies, added, ...rest) =>
          base.addCookies(
            cookies,
            added.map((cookie) => ({ ...cookie, key: cookie.name.toUpperCase() })),
            ...rest,
          ),
      }),
    ],
    'cookies-of-a-name-are-one': [
      'A cookie that is added takes the place of one of the same name, whatever the domain.',
      (base) => ({
        addCookies: (cookies, added, ...rest) => {
          const all = base.addCookies(cookies, added, ...rest);
          return all.filter(({ name }, index) => !all.slice(index + 1).some((later) => later.name === name));
        },
      }),
    ],
    'cookies-are-not-added-beside-deletions': [
      'cookiesToAdd adds nothing where cookiesToDelete deletes.',
      (base) => {
        let deletes = false;
        return {
          deleteCookies: (cookies, ids) => {
            deletes = ids.length > 0;
            return base.deleteCookies(cookies, ids);
          },
          addCookies: (cookies, added, ...rest) => base.addCookies(cookies, deletes ? [] : added, ...rest),
        };
      },
    ],
    'profiles-hold-ten-cookies': [
      'Of more than ten cookies the last ones are dropped.',
      (base) => ({ addCookies: (...args) => base.addCookies(...args).slice(0, 10) }),
    ],
    'cookie-values-end-at-an-equals-sign': [
      'The value of a cookie ends before the first equals sign.',
      (base) => ({
        addCookies: (cookies, added, ...rest) =>
          base.addCookies(
            cookies,
            added.map((cookie) => ({ ...cookie, value: cookie.value.replace(/=.*/, '') })),
            ...rest,
          ),
      }),
    ],
    'cookies-expire-at-midnight': [
      'Of the expiry of a cookie the day is kept.',
      (base) => ({
        addCookies: (cookies, added, ...rest) =>
          base.addCookies(
            cookies,
            added.map(({ expiry, ...cookie }) => ({ ...cookie, ...(expiry && { expiry: dayOf(expiry) }) })),
            ...rest,
          ),
      }),
    ],
  }),
  ...breaking('credentials-are-added', {
    'credentials-are-not-added': [
      'credentialsToAdd is taken, and adds nothing.',
      () => ({ addCredentials: (credentials) => [...credentials] }),
    ],
    'one-credential-is-added': [
      'Of credentialsToAdd only the last is added.',
      (base) => ({
        addCredentials: (credentials, added, ...rest) => base.addCredentials(credentials, added.slice(-1), ...rest),
      }),
    ],
    'added-credentials-replace-all': [
      'credentialsToAdd takes the place of the credentials that were there.',
      (base) => ({
        addCredentials: (credentials, added, ...rest) =>
          base.addCredentials(added.length > 0 ? [] : credentials, added, ...rest),
      }),
      'credentials-are-deleted',
      'credentials-update-ignores-case',
      'update-is-partial',
    ],
    'added-credential-data-is-trimmed': [
      'The data of an added credential loses the blanks at its ends.',
      (base) => ({
        addCredentials: (credentials, added, ...rest) =>
          base.addCredentials(
            credentials,
            added.map((one) => ({ ...one, data: one.data.trim() })),
            ...rest,
          ),
      }),
    ],
    'credential-data-that-is-a-number-is-one': [
      'The data of a credential loses zeros at its beginning.',
      (base) => ({
        addCredentials: (credentials, added, ...rest) =>
          base.addCredentials(
            credentials,
            added.map((credential) => ({ ...credential, data: credential.data.replace(/^0+(?=\d)/, '') })),
            ...rest,
          ),
      }),
    ],
    'credentials-swap-their-data': [
      'Each of several credentials that are added has the data of the next one.',
      (base) => ({
        addCredentials: (credentials, added, ...rest) => {
          const dataAt = (place: number) => added[place % added.length]?.data ?? '';
          const swapped = added.map((one, place) => ({ ...one, data: dataAt(place + 1) }));
          return base.addCredentials(credentials, swapped, ...rest);
        },
      }),
    ],
    'third-credentials-are-lost': [
      'Of several credentials that are added together the third is lost.',
      (base) => ({
        addCredentials: (credentials, added, ...rest) =>
          base.addCredentials(
            credentials,
            added.filter((_, place) => place !== 2),
            ...rest,
          ),
      }),
    ],
    'credentials-of-json-are-written-anew': [
      'Data of credentials that is JSON is parsed, and written as JSON again.',
      (base) => ({
        addCredentials: (credentials, added, ...rest) =>
          base.addCredentials(
            credentials,
            added.map(({ data, ...credential }) => ({ ...credential, data: rewritten(data) })),
            ...rest,
          ),
      }),
    ],
  }),
  ...breaking('cookie-expiry-is-shown', {
    'added-cookies-lose-their-expiry': [
      'A cookie that is added without an id loses its expiry.',
      (base) => ({
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
    ],
  }),
];
