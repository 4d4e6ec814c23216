/** Keys that are nearly right, which a sloppy comparison would accept. */

import type { NearKey } from '../../engine/vocabulary.js';

/** Hexadecimal digits, and UUIDs made of them: case and hyphens may not matter in these. */
const hexadecimal = /^[\da-f-]*$/i;
const inOtherCase = (key: string) =>
  [...key].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');

interface Near {
  /** What is wrong with it, in words. */
  readonly fault: string;
  /** The key, or how it is made from the right one; undefined if a service may treat the result as the right key. */
  readonly key: string | ((key: string) => string | undefined);
  /** Only tried on one operation: after too many wrong keys, a service may turn callers away whatever their keys. */
  readonly once?: true;
}

/** Keys that are nearly right, in the order in which they are tried. */
export const nearKeys: { readonly [kind in NearKey]: Near } = {
  empty: { fault: 'an empty key', key: '' },
  // Four characters, so that base64 is damaged beyond its padding.
  cut: { fault: 'a key that is cut short', key: (key) => key.slice(0, -4) || undefined },
  preceded: { fault: 'a key with one more letter before it', key: (key) => `x${key}`, once: true },
  followed: { fault: 'a key that is followed by more', key: (key) => `${key} x` },
  ended: {
    fault: 'a key with another last letter',
    key: (key) => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`,
  },
  recased: {
    fault: 'a key in the other case',
    key: (key) => (hexadecimal.test(key) ? undefined : inOtherCase(key)),
  },
  joined: {
    fault: 'a key without its hyphens',
    key: (key) => (hexadecimal.test(key) ? undefined : key.replaceAll(/[-_.]/g, '')),
    once: true,
  },
  spaced: {
    fault: 'a key with a blank inside',
    key: (key) => (key.length > 1 ? `${key.slice(0, key.length / 2)} ${key.slice(key.length / 2)}` : undefined),
    once: true,
  },
  listed: { fault: 'a key with another one after a comma', key: (key) => `${key},x`, once: true },
  // Values that some services accept as a key, whatever their keys are.
  undefined: { fault: 'the word undefined for a key', key: 'undefined', once: true },
  null: { fault: 'the word null for a key', key: 'null', once: true },
  star: { fault: 'an asterisk for a key', key: '*', once: true },
  quote: { fault: 'a quotation mark for a key', key: "'", once: true },
  uuid: { fault: 'a made-up UUID for a key', key: '5b1f0c52-93d7-4c1e-8a46-0e7d2f9b6a38', once: true },
  number: { fault: 'a number for a key', key: '80613742', once: true },
  object: { fault: 'JSON for a key', key: '{}', once: true },
  hyphen: { fault: 'a hyphen for a key', key: '-', once: true },
  bearer: { fault: 'a made-up token of another scheme for a key', key: 'Bearer made-up', once: true },
};

export const nearKeyKinds = Object.keys(nearKeys) as NearKey[];

export const isNearKey = (credential: string): credential is NearKey => Object.hasOwn(nearKeys, credential);

/** A nearly right key; undefined if there is none of this kind. */
export function nearKey(kind: NearKey, key: string): string | undefined {
  const { key: near } = nearKeys[kind];
  const made = typeof near === 'string' ? near : near(key);
  return made === key ? undefined : made;
}

/** Whether the value that is sent reveals part of the right key. */
export const revealsKey = (credential: string): boolean =>
  isNearKey(credential) && typeof nearKeys[credential].key === 'function';
