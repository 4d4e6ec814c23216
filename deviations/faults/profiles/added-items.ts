import { changing, giving } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

function anew(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

const dayOf = (time: string): string => new Date(time).toISOString().replace(/T.*/, 'T00:00:00.000Z');

/** Faults with added cookies and credentials. */
export const addedItemFaults: readonly Fault[] = [
  ...breaking('cookies-are-added', {
    'cookies-of-json-are-written-anew': [
      'A value of a cookie that is JSON is stored as it would be written anew.',
      giving('addCookies', (added) => added.map((one) => ({ ...one, value: anew(one.value) }))),
    ],
    'cookies-of-a-value-are-one': [
      'Of cookies with one value that are added together only the first is.',
      giving('addCookies', (added) =>
        added.filter(({ value }, place) => !added.slice(0, place).some((one) => one.value === value)),
      ),
    ],
    'cookies-are-not-added': [
      'cookiesToAdd is taken, and adds nothing.',
      () => ({ addCookies: (cookies) => [...cookies] }),
    ],
    'one-cookie-is-added': [
      'Of cookiesToAdd only the first is added.',
      giving('addCookies', (added) => added.slice(0, 1)),
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
      giving('addCookies', (added) => added.map((cookie) => ({ ...cookie, secure: true }))),
    ],
    'cookies-lose-their-key': [
      'The key of a cookie is its name in capitals.',
      giving('addCookies', (added) => added.map((cookie) => ({ ...cookie, key: cookie.name.toUpperCase() }))),
    ],
    'cookies-of-a-name-are-one': [
      'A cookie that is added takes the place of one of the same name, whatever the domain.',
      changing('addCookies', (all) =>
        all.filter(({ name }, index) => !all.slice(index + 1).some((later) => later.name === name)),
      ),
    ],
    'profiles-hold-ten-cookies': [
      'Of more than ten cookies the last ones are dropped.',
      (base) => ({ addCookies: (...args) => base.addCookies(...args).slice(0, 10) }),
    ],
    'cookie-values-end-at-an-equals-sign': [
      'The value of a cookie ends before the first equals sign.',
      giving('addCookies', (added) => added.map((cookie) => ({ ...cookie, value: cookie.value.replace(/=.*/, '') }))),
    ],
    'cookies-expire-at-midnight': [
      'Of the expiry of a cookie the day is kept.',
      giving('addCookies', (added) =>
        added.map(({ expiry, ...cookie }) => ({ ...cookie, ...(expiry && { expiry: dayOf(expiry) }) })),
      ),
    ],
  }),
  ...breaking('credentials-are-added', {
    'credentials-are-not-added': [
      'credentialsToAdd is taken, and adds nothing.',
      () => ({ addCredentials: (credentials) => [...credentials] }),
    ],
    'one-credential-is-added': [
      'Of credentialsToAdd only the last is added.',
      giving('addCredentials', (added) => added.slice(-1)),
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
      giving('addCredentials', (added) => added.map((one) => ({ ...one, data: one.data.trim() }))),
    ],
    'credential-data-that-is-a-number-is-one': [
      'The data of a credential loses zeros at its beginning.',
      giving('addCredentials', (added) =>
        added.map((credential) => ({ ...credential, data: credential.data.replace(/^0+(?=\d)/, '') })),
      ),
    ],
    'credentials-swap-their-data': [
      'Each of several credentials that are added has the data of the next one.',
      giving('addCredentials', (added) => {
        const dataAt = (place: number) => added[place % added.length]?.data ?? '';
        return added.map((one, place) => ({ ...one, data: dataAt(place + 1) }));
      }),
    ],
    'third-credentials-are-lost': [
      'Of several credentials that are added together the third is lost.',
      giving('addCredentials', (added) => added.filter((_, place) => place !== 2)),
    ],
    'credentials-of-json-are-written-anew': [
      'Data of credentials that is JSON is parsed, and written as JSON again.',
      giving('addCredentials', (added) =>
        added.map(({ data, ...credential }) => ({ ...credential, data: anew(data) })),
      ),
    ],
  }),
  ...breaking('cookie-expiry-is-shown', {
    'added-cookies-lose-their-expiry': [
      'A cookie that is added without an id loses its expiry.',
      giving('addCookies', (added) =>
        added.map(({ expiry, ...one }) => ({
          ...one,
          ...(one.id !== undefined && expiry !== undefined && { expiry }),
        })),
      ),
    ],
  }),
];
