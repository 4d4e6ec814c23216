import { type NearKey, nearKeys } from '../vocabulary.js';

/** Of these case and hyphens may mean nothing: hexadecimal digits, and the UUIDs that are made of them. */
const hexadecimal = /^[\da-f-]*$/i;
const inOtherCase = (key: string) =>
  [...key].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');

/** What some services take for a key, whichever theirs are. */
const words = {
  empty: '',
  undefined: 'undefined',
  null: 'null',
  star: '*',
  quote: "'",
  uuid: '5b1f0c52-93d7-4c1e-8a46-0e7d2f9b6a38',
  number: '12345',
  word: 'test',
  object: '{}',
  hyphen: '-',
  bearer: 'Bearer made-up',
} as const satisfies Partial<Record<NearKey, string>>;

type Word = keyof typeof words;

const isWord = (credential: string): credential is Word => Object.hasOwn(words, credential);

/** How a key is spoilt; undefined where a service may take what comes of it for the key itself. */
const spoilt: { readonly [kind in Exclude<NearKey, Word>]: (key: string) => string | undefined } = {
  // Four: what base64 pads is spoilt as well.
  cut: (key) => key.slice(0, -4) || undefined,
  lengthened: (key) => `${key}x`,
  preceded: (key) => `x${key}`,
  followed: (key) => `${key} x`,
  altered: (key) => (key.startsWith('x') ? undefined : `x${key.slice(1)}`),
  ended: (key) => (key.endsWith('x') ? `${key.slice(0, -1)}y` : `${key.slice(0, -1)}x`),
  recased: (key) => (hexadecimal.test(key) ? undefined : inOtherCase(key)),
  joined: (key) => (hexadecimal.test(key) ? undefined : key.replaceAll(/[-_.]/g, '')),
  listed: (key) => `${key},x`,
};

export const isNearKey = (credential: string): credential is NearKey =>
  (nearKeys as readonly string[]).includes(credential);

/** A key that is nearly right; undefined where there is none of this kind. */
export function nearKey(kind: NearKey, key: string): string | undefined {
  const near = isWord(kind) ? words[kind] : spoilt[kind](key);
  return near === key ? undefined : near;
}

/** Whether what is sent tells something of the right key. */
export const tellsKey = (credential: string): boolean => isNearKey(credential) && !isWord(credential);
