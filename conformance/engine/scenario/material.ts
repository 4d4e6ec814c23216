import type { Fields } from '../outcome/read.js';
import { seeded, seedFor } from '../send/seeded.js';

/**
 * Values that are easily corrupted on the way to a store and back. Everything that accepts JSON has to accept them: no
 * attacks, only valid Unicode, no numbers that a double cannot hold; names and lengths that services refuse only if
 * `isRisky`.
 */

/** By what is difficult about them; several of each kind. */
export const texts = {
  plain: ['Nordwind', 'supplier of tea'],
  accented: ['ünïcode', 'Ångström', '“naïve” façade – it’s…'],
  combining: ['Ame\u0301lie', 'A\u030angstro\u0308m', 'q\u0307\u0323'],
  'beyond the basic plane': ['🦊', 'fox 🦊 and 👩‍👩‍👧‍👦', '𝔘𝔫𝔦𝔠𝔬𝔡𝔢', '🇪🇺 𠮷野家'],
  'right to left': ['שלום עולם', 'مرحبا بالعالم', 'mixed עברית text'],
  'of wide letters': ['日本語テキスト', '한국어', '汉字'],
  'of several lines': ['first\nsecond\n\nfourth', '\tindented\n\ttwice', 'one\ntwo', 'as on\r\nWindows'],
  spaced: ['two  spaces', 'a   b', 'no\u00a0break'],
  'like a number': ['007', '1e3', '12.50', '+4930', '0x1F', '-0', '1234567890123456789', '1_000', 'NaN', 'Infinity'],
  'like a boolean': ['true', 'False', 'no', 'off', 'Y'],
  'like nothing': ['null', 'None', 'undefined', 'nil'],
  'like a time': ['2026-01-01T00:00:00+02:00', '2026-02-30', '12/31/2026', '23:59'],
  'like an id': ['C56A4180-65AA-42EC-A945-5FD21DEC0538', 'c56a418065aa42eca9455fd21dec0538'],
  'like JSON': ['{"a": 1}', '[1, 2]', '"quoted"'],
  'of markup': ['<b>bold</b> & "more"', '&amp; &lt; &#39;', "it's"],
  'with separators': ['a=b;c=d', 'k=v; path=/', 'a,b;c|d', 'x=1&y=2#z', 'one:two::three'],
  'with escapes': ['100%', '%20 and %2F', 'C:\\new\\table', 'a+b c', 'under_score %wild_', '\\u0041'],
  capitals: ['lower UPPER Mixed', 'ÄÖÜ ЖЩЮ ΔΩ', 'camelCase snake_case'],
  blank: [''],
} as const;

/** One more than common sizes of database columns. */
export const lengths = [256, 1001] as const;

export const numbers = [
  0, 1, -1, 42, -2.5, 0.1, 0.12345678901234568, 1e-7, 2147483648, 4294967296, 12345678901, 9007199254740991,
  -9007199254740991,
] as const;

export const shapes: readonly unknown[] = [
  true,
  false,
  null,
  [],
  {},
  [[]],
  [{}],
  [null],
  [1, 'two', null, -2.5, false],
  [3, 1, 2, 3, 1],
  [0, '', false, null, [], {}],
  { nothing: null, something: 1 },
  { zero: 0, no: false, blank: '', none: {}, list: [] },
  { a: { b: { c: { d: { e: ['deep', {}] } } } } },
  [['nested'], [['twice', []]]],
];

/** Values that are easily taken for missing. They are always sent, whatever the seed. */
const easilyLost = { no: false, zero: 0, blank: '' } as const;

/** Texts that are easily taken for another type. */
const likeOtherTypes = ['1234567890123456789', 'true', 'null', '2026-01-01T00:00:00+02:00'] as const;
const template = '{{name}} $name %s {0}';
const hugeNumber = 1e21;
/** More than a usual page. */
const manyItems = 300;
/** Names that are easily taken for a place in a structure, or for one another. */
const pathLike = [
  'with.dot',
  'a/b',
  'list[0]',
  '_hidden',
  'one of two',
  'ONE of two',
  'a name of many words, '.repeat(6).trim(),
] as const;

/** Lengths that may exceed limits: of one text of inputs, more than the 65,535 bytes of a usual column, and of metadata. */
const riskyLengths = { inputs: 66_000, metadata: 2000 } as const;

/** Names for free fields of inputs and metadata, the most telling first. */
export const keys = [
  'with space',
  'UPPER',
  'camelCase',
  'snake_case',
  'kebab-case',
  'ünïcode',
  '日本',
  '7',
  '007',
  'true',
  'constructor',
  'length',
  'a:b',
  'x=y',
  'id',
  'type',
  'status',
  'a_name_as_long_as_that',
] as const;

// Generated values for requests.

/** Characters of several bytes that Unicode normalisation does not change. */
export const wide = ['ж', '語', 'ø', '한'] as const;
const astral = ['🦊', '𠮷'] as const;

/** How many values of each sort a nested value has. */
const handful = 3;
/** A number of metadata pairs that no known service refuses. */
const mostPairs = 15;

/**
 * The one source of hard values. The same seed and names (scenario and step) give the same ones. Free fields have every
 * value, whatever the seed.
 */
export class Material {
  readonly #random: () => number;

  constructor(seed: number, ...of: readonly string[]) {
    this.#random = seeded(seedFor(seed, ...of));
  }

  /** Inputs of a start, without the marker: any JSON. */
  inputs(isRisky = false): Fields {
    const long = lengths.map((length) => this.text(length));
    return {
      ...easilyLost,
      ...named([...this.shuffled([...allTexts, ...numbers, ...shapes]), ...long], 'value'),
      ...named(numbers, 'number'),
      ...Object.fromEntries(keys.map((key) => [key, this.word()])),
      nested: { ...this.#keyed(this.#handful()), list: this.#handful() },
      ...named([template, hugeNumber], 'last'),
      ...Object.fromEntries(pathLike.map((name) => [name, this.word()])),
      items: Array.from({ length: manyItems }, (_, index) => index),
      ...(isRisky && this.#risky(riskyLengths.inputs)),
    };
  }

  /** Metadata of a start, without the marker: only texts. */
  metadata(isRisky = false): Readonly<Record<string, string>> {
    const values = [...likeOtherTypes, ...this.shares(mostPairs - 3 - likeOtherTypes.length)];
    const pairs = { ...this.#keyed(values), blank: '', long: this.text(lengths[0]) };
    return { ...pairs, ...(isRisky && this.#risky(riskyLengths.metadata)) };
  }

  /** Many texts, under unusual names, and a long one. Limits are not shown, so a service may refuse them. */
  #risky(length: number): Record<string, string> {
    const names = [...allTexts.map((_, index) => `risky-${index + 1}`), ...pathLike, '$dollar', ''];
    // No x: a row of these may be a mask.
    return { ...Object.fromEntries(names.map((name) => [name, this.word()])), longest: this.text(length, '', ['a']) };
  }

  /** A short text that is difficult in one way. */
  word(): string {
    return this.pick(this.pick(Object.values(texts)));
  }

  /** All difficult texts, distributed over `count` longer ones. */
  shares(count: number): string[] {
    const all = this.shuffled(allTexts);
    return Array.from({ length: count }, (_, share) => all.filter((_, place) => place % count === share).join(' '));
  }

  /** A random character. A wide alphabet has many, since a short name may be taken. */
  letter(letters: readonly string[]): string {
    const [from, many] = letters === wide ? [0x4e00, 0x5000] : [0x61, 26];
    return String.fromCodePoint(from + Math.floor(this.#random() * many));
  }

  /** A text of many difficult ones that begins with `start`, of at most `most` characters. */
  phrase(start: string, most: number): string {
    const words: string[] = this.shuffled(allTexts);
    return words.reduce((text, word) => (`${text} ${word}`.length > most ? text : `${text} ${word}`), start);
  }

  /** A text of exactly `length` characters, by default wide ones. Its end is marked, so that truncation shows. */
  text(length: number, start = '', letters: readonly string[] = wide): string {
    const end = 'end';
    const fill = this.pick(letters);
    return `${start}${fill.repeat(Math.max(0, length - [...start].length - end.length))}${end}`;
  }

  /** As `text`, with characters outside the basic plane, which are two units of UTF-16. */
  astral(length: number): string {
    return this.text(length, '', astral);
  }

  pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)] as T;
  }

  shuffled<T>(of: readonly T[]): T[] {
    return of
      .map((one) => [this.#random(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  }

  #handful(): unknown[] {
    const kinds = this.shuffled(Object.values(texts)).slice(0, handful);
    return [
      ...kinds.map((kind) => this.pick<string>(kind)),
      ...this.shuffled(numbers).slice(0, handful),
      ...this.shuffled(shapes).slice(0, handful),
    ];
  }

  #keyed<T>(values: readonly T[]): Record<string, T> {
    return Object.fromEntries(values.map((value, index) => [keys[index] ?? `key-${index}`, value]));
  }
}

const allTexts = Object.values(texts).flat();

const named = <T>(values: readonly T[], name: string): Record<string, T> =>
  Object.fromEntries(values.map((value, index) => [`${name}-${index + 1}`, value]));
