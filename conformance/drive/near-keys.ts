import { type NearKey, nearKeys } from '../vocabulary.js';

/** Of these case and hyphens may mean nothing: hexadecimal digits, and the UUIDs that are made of them. */
const hexadecimal = /^[\da-f-]*$/i;
const inOtherCase = (key: string) =>
  [...key].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');

/** How a key is spoilt; undefined where a service may take what comes of it for the key itself. */
const spoilt: { readonly [kind in NearKey]: (key: string) => string | undefined } = {
  empty: () => '',
  // Four: what base64 pads is spoilt as well.
  cut: (key) => key.slice(0, -4) || undefined,
  lengthened: (key) => `${key}x`,
  preceded: (key) => `x${key}`,
  followed: (key) => `${key} x`,
  altered: (key) => (key.startsWith('x') ? undefined : `x${key.slice(1)}`),
  ended: (key) => (key.endsWith('x') ? `${key.slice(0, -1)}y` : `${key.slice(0, -1)}x`),
  recased: (key) => (hexadecimal.test(key) ? undefined : inOtherCase(key)),
  joined: (key) => (hexadecimal.test(key) ? undefined : key.replaceAll(/[-_.]/g, '')),
  undefined: () => 'undefined',
};

export const isNearKey = (credential: string): credential is NearKey =>
  (nearKeys as readonly string[]).includes(credential);

/** A key that is nearly right; undefined where there is none of this kind. */
export function nearKey(kind: NearKey, key: string): string | undefined {
  const near = spoilt[kind](key);
  return near === key ? undefined : near;
}
