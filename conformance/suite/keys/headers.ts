import { type OperationId, operations } from '../../../generated/operations.js';
import type { Keys, Target } from '../../engine/send/request-spec.js';
import type { Credential } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { keyFor } from '../target/target.js';

// Keys that are nearly right, which a sloppy comparison would accept.

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

/**
 * Keys that are nearly right, in the order in which they are tried: some are the primary key, altered. The others are
 * values that careless callers send, or that a lookup by pattern, query or guess might match.
 */
export const nearKeys = {
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
} satisfies Readonly<Record<string, Near>>;

type NearKey = keyof typeof nearKeys;

declare module '../../engine/vocabulary.js' {
  interface Credentials extends Record<NearKey, true> {}
}

export const nearKeyKinds = Object.keys(nearKeys) as NearKey[];

export const isNearKey = (credential: string): credential is NearKey => Object.hasOwn(nearKeys, credential);

/** A nearly right key; undefined if there is none of this kind. */
function nearKey(kind: NearKey, key: string): string | undefined {
  const { key: near } = nearKeys[kind];
  const made = typeof near === 'string' ? near : near(key);
  return made === key ? undefined : made;
}

/** Whether the value that is sent reveals part of the right key. */
const revealsKey = (credential: string): boolean =>
  isNearKey(credential) && typeof nearKeys[credential].key === 'function';

// The headers that carry keys.

/** Whether a key can be sent. Not every key can be damaged in each way; the target file's headers are kept. */
export function hasKey(credential: Credential, { headers, keys }: Pick<Target, 'headers' | 'keys'>): boolean {
  if (credential === 'elsewhere') return !Object.keys(headers).some((name) => /^(?:authorization|cookie)$/i.test(name));
  if (credential === 'primary') return keys.primary !== undefined;
  return !isNearKey(credential) || nearKey(credential, keys.primary ?? '') !== undefined;
}

/** The documented header of an operation, and the other one. */
function headersOf(operation: OperationId): readonly [shown: string, other: string] {
  const both = ['X-Api-Key', 'X-Service-Agents-Api-Key'] as const;
  return operations[operation].keyHeader === both[0] ? both : [both[1], both[0]];
}

/** The headers that carry a credential to an operation; `tells` is a value that reveals part of the right key. */
export function credentialHeaders(
  keys: Keys,
  wrong: string,
  operation: OperationId,
  credential: Credential,
): { headers: Record<string, string>; tells?: string } {
  const key = (header: string) => keyFor(keys, header, 'primary');
  const [shown, other] = headersOf(operation);
  if (isNearKey(credential)) {
    const near = nearKey(credential, key(shown) ?? '');
    if (near === undefined) return { headers: {} };
    return { headers: { [shown]: near }, ...(revealsKey(credential) && { tells: near }) };
  }
  const sent: Record<Exclude<Credential, NearKey>, readonly [header: string, key: string | undefined][]> = {
    primary: [[shown, key(shown)]],
    restricted: [[shown, keyFor(keys, shown, 'restricted')]],
    none: [],
    elsewhere: [
      ['Authorization', `Bearer ${wrong}`],
      ['Cookie', `session=${wrong}`],
    ],
    invalid: [[shown, wrong]],
    swapped: [[other, key(other)]],
    contradicting: [
      [shown, key(shown)],
      [other, wrong],
    ],
  };
  const headers = sent[credential].filter((header): header is [string, string] => header[1] !== undefined);
  return { headers: Object.fromEntries(headers) };
}

/** No key and a key that nobody has, and the rule that each must be refused by. */
export const wrongKeys = [
  ['missing-key-is-401', 'none', 'no key'],
  ['invalid-key-is-401', 'invalid', 'a wrong key'],
] as const;

/** Keys with which nothing may be done. */
export const keyFaults = [
  ...wrongKeys,
  ['insufficient-permission-is-403', 'restricted', 'a key without the permission'],
] as const;

/** Whether an operation must be refused with such a key. For the restricted one, the target file says so. */
export const deniedFor = ({ facts: { restricted } }: Driver, credential: Credential, operation: OperationId): boolean =>
  credential !== 'restricted' || restricted?.denied.includes(operation) === true;
