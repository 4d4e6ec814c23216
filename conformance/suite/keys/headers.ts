import { type OperationId, operations } from '../../../generated/operations.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import { status } from '../../engine/outcome/read.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Credential, Exchange, Keys, NearKey, Target } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { validBody } from '../starts/requests.js';
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

/** The operations that were found to accept a target's keys only in the other header. */
const inOther = new WeakMap<Keys, Set<OperationId>>();

const acceptsOtherHeader = (keys: Keys, operation: OperationId): void => {
  inOther.set(keys, (inOther.get(keys) ?? new Set()).add(operation));
};

/** The documented header of an operation, and the other one; swapped if keys are only accepted in the other. */
function headersOf(keys: Keys, operation: OperationId): readonly [shown: string, other: string] {
  const both = ['X-Api-Key', 'X-Service-Agents-Api-Key'] as const;
  const isFirst = operations[operation].keyHeader === both[0];
  return isFirst === (inOther.get(keys)?.has(operation) ?? false) ? [both[1], both[0]] : both;
}

/** The headers that carry a credential to an operation; `tells` is a value that reveals part of the right key. */
export function credentialHeaders(
  keys: Keys,
  wrong: string,
  operation: OperationId,
  credential: Credential,
): { headers: Record<string, string>; tells?: string } {
  const key = (header: string) => keyFor(keys, header, 'primary');
  const [shown, other] = headersOf(keys, operation);
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

/** The results for the keys of a target, by operation. */
const found = new WeakMap<Keys, Map<OperationId, Promise<boolean>>>();

/**
 * Whether an operation that answers 401 to the right key accepts it in the other header. Then it is sent there from now
 * on, so that everything else can be judged. Asked with an unknown id, once for each operation.
 */
export function isAcceptedInOtherHeader(
  keys: Keys,
  operation: OperationId,
  id: string,
  send: (ask: RequestSpec) => Promise<Exchange>,
): Promise<boolean> {
  const byOperation = found.get(keys) ?? new Map<OperationId, Promise<boolean>>();
  found.set(keys, byOperation);
  const header = byOperation.get(operation) ?? findsOut(keys, operation, id, send);
  byOperation.set(operation, header);
  return header;
}

async function findsOut(
  keys: Keys,
  operation: OperationId,
  id: string,
  send: (ask: RequestSpec) => Promise<Exchange>,
): Promise<boolean> {
  const body = validBody(operation);
  const ask = (credential: Credential): Promise<Exchange> =>
    send({
      step: `${credential}-key-header`,
      operation,
      id,
      hasMadeUpId: true,
      evenIfExclusive: true,
      credential,
      ...(body && { body }),
    });
  const shown = await ask('primary');
  if (status(shown) !== 401) return false;
  const [other, none] = [await ask('swapped'), await ask('none')];
  // If the answer is the same without a key, the key was not checked.
  const isTaken =
    outcomeOf(other).own !== undefined &&
    (status(other) ?? 0) < 500 &&
    status(other) !== 401 &&
    status(other) !== status(none);
  if (isTaken) acceptsOtherHeader(keys, operation);
  return isTaken;
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
