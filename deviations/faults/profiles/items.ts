/** Faults with added, deleted and updated cookies and credentials. */

import type { Cookie } from '../../../generated/types.js';
import { changing, giving, refusing } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

function anew(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

const dayOf = (time: string): string => new Date(time).toISOString().replace(/T.*/, 'T00:00:00.000Z');

export const itemFaults: readonly Fault[] = [
  ...breaking('cookies-are-added', {
    'cookies-of-json-are-written-anew': giving('addCookies', (added) =>
      added.map((one) => ({ ...one, value: anew(one.value) })),
    ),
    'cookies-of-a-value-are-one': giving('addCookies', (added) =>
      added.filter(({ value }, place) => !added.slice(0, place).some((one) => one.value === value)),
    ),
    'cookies-are-not-added': () => ({ addCookies: (cookies) => [...cookies] }),
    'one-cookie-is-added': giving('addCookies', (added) => added.slice(0, 1)),
    'added-cookies-replace-all': [
      (base) => ({
        addCookies: (cookies, added, ...rest) => base.addCookies(added.length > 0 ? [] : cookies, added, ...rest),
      }),
      'cookies-are-deleted',
      'update-is-partial',
    ],
    'cookies-become-secure': giving('addCookies', (added) => added.map((cookie) => ({ ...cookie, secure: true }))),
    'cookies-lose-their-key': giving('addCookies', (added) =>
      added.map((cookie) => ({ ...cookie, key: cookie.name.toUpperCase() })),
    ),
    'cookies-of-a-name-are-one': changing('addCookies', (all) =>
      all.filter(({ name }, index) => !all.slice(index + 1).some((later) => later.name === name)),
    ),
    'profiles-hold-ten-cookies': (base) => ({ addCookies: (...args) => base.addCookies(...args).slice(0, 10) }),
    'cookie-values-end-at-an-equals-sign': giving('addCookies', (added) =>
      added.map((cookie) => ({ ...cookie, value: cookie.value.replace(/=.*/, '') })),
    ),
    'cookies-expire-at-midnight': giving('addCookies', (added) =>
      added.map(({ expiry, ...cookie }) => ({ ...cookie, ...(expiry && { expiry: dayOf(expiry) }) })),
    ),
  }),
  ...breaking('credentials-are-added', {
    'credentials-are-not-added': () => ({ addCredentials: (credentials) => [...credentials] }),
    'one-credential-is-added': giving('addCredentials', (added) => added.slice(-1)),
    'added-credentials-replace-all': [
      (base) => ({
        addCredentials: (credentials, added, ...rest) =>
          base.addCredentials(added.length > 0 ? [] : credentials, added, ...rest),
      }),
      'credentials-are-deleted',
      'credentials-update-ignores-case',
      'update-is-partial',
    ],
    'added-credential-data-is-trimmed': giving('addCredentials', (added) =>
      added.map((one) => ({ ...one, data: one.data.trim() })),
    ),
    'credential-data-that-is-a-number-is-one': giving('addCredentials', (added) =>
      added.map((credential) => ({ ...credential, data: credential.data.replace(/^0+(?=\d)/, '') })),
    ),
    'credentials-swap-their-data': giving('addCredentials', (added) => {
      const dataAt = (place: number) => added[place % added.length]?.data ?? '';
      return added.map((one, place) => ({ ...one, data: dataAt(place + 1) }));
    }),
    'third-credentials-are-lost': giving('addCredentials', (added) => added.filter((_, place) => place !== 2)),
    'credentials-of-json-are-written-anew': giving('addCredentials', (added) =>
      added.map(({ data, ...credential }) => ({ ...credential, data: anew(data) })),
    ),
  }),
  ...breaking('cookie-expiry-is-shown', {
    'added-cookies-lose-their-expiry': giving('addCookies', (added) =>
      added.map(({ expiry, ...one }) => ({
        ...one,
        ...(one.id !== undefined && expiry !== undefined && { expiry }),
      })),
    ),
  }),
  ...breaking('cookies-are-deleted', {
    'deleting-what-nobody-has-deletes-all': (base) => ({
      deleteCookies: (cookies, ids) =>
        ids.length > 0 && !cookies.some(({ id }) => ids.includes(String(id))) ? [] : base.deleteCookies(cookies, ids),
    }),
    'all-cookies-are-deleted': () => ({ deleteCookies: (cookies, ids) => (ids.length > 0 ? [] : [...cookies]) }),
    'cookies-of-the-domain-are-deleted': () => ({
      deleteCookies: (cookies, ids) => {
        const gone = cookies.filter(({ id }) => id !== undefined && ids.includes(id)).map(({ domain }) => domain);
        return cookies.filter(({ domain }) => !gone.includes(domain));
      },
    }),
    'deleted-cookies-come-back': [
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
    'deletions-reset-other-cookies': (base) => ({
      deleteCookies: (cookies, ids) =>
        base
          .deleteCookies(cookies, ids)
          .map((cookie) => (ids.length > 0 && cookie.id ? { ...cookie, httpOnly: false } : cookie)),
    }),
    'cookies-cannot-be-deleted': [
      refusing('cookiesToDelete', (body, operation) => operation === 'updateProfile' && 'cookiesToDelete' in body),
      'unknown-profile-is-404',
    ],
  }),
  ...breaking('credentials-are-deleted', {
    'all-credentials-are-deleted': () => ({
      deleteCredentials: (credentials, ids) => (ids.length > 0 ? [] : [...credentials]),
    }),
  }),
  ...breaking('credentials-update-ignores-case', {
    'credential-updates-skip-other-cases': () => ({
      updateCredentials: (credentials, updates) =>
        credentials.map((credential) => ({
          ...credential,
          ...updates.find(({ name }) => name === credential.name),
        })),
    }),
    'credential-updates-add': () => ({
      updateCredentials: (credentials, updates) => [
        ...credentials,
        ...updates
          .filter((update) => !credentials.some(({ name }) => name === update.name))
          .map(({ name, data = '' }) => ({ name, data })),
      ],
    }),
    'credential-updates-change-all': [
      changing('updateCredentials', (updated, _credentials, updates) => {
        const names = updates.map(({ name }) => name.toLowerCase());
        return updates.length > 0 ? updated.filter(({ name }) => names.includes(name.toLowerCase())) : updated;
      }),
      'credentials-are-deleted',
    ],
    'empty-credential-data-is-not-set': giving('updateCredentials', (updates) =>
      updates.filter(({ data }) => data !== ''),
    ),
    'updated-credential-data-is-trimmed': giving('updateCredentials', (updates) =>
      updates.map(({ data, ...one }) => ({ ...one, ...(data !== undefined && { data: data.trim() }) })),
    ),
    'credential-updates-are-patterns': changing('updateCredentials', (updated, _credentials, updates) => {
      const pattern = (name: string) =>
        new RegExp(`^${name.replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&').replaceAll('_', '.')}$`, 'i');
      return updated.map((credential) => {
        const found = updates.find(({ name }) => pattern(name).test(credential.name));
        return found?.data === undefined ? credential : { ...credential, data: found.data };
      });
    }),
    'one-credential-is-updated': giving('updateCredentials', (updates) => updates.slice(0, 1)),
    'credential-updates-ignore-accents': (base) => ({
      updateCredentials: (credentials, updates) => {
        base.updateCredentials(credentials, updates);
        const bare = (name: string) => name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
        return credentials.map((credential) => {
          const found = updates.find(({ name }) => bare(name) === bare(credential.name));
          return found?.data === undefined ? credential : { ...credential, data: found.data };
        });
      },
    }),
    'new-data-ends-at-a-semicolon': giving('updateCredentials', (updates) =>
      updates.map(({ data = '', ...update }) => ({ ...update, data: data.replace(/;.*$/s, '') })),
    ),
  }),
];
