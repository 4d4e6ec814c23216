/** Generated values for free fields of requests. */
import type { Fields } from '../../outcome/read.js';
import { seeded, seedFor } from '../../send/seeded.js';
import { easilyLost, keys, lengths, numbers, risky, shapes, texts } from './values.js';

/** Characters of several bytes that Unicode normalisation does not change. */
export const wide = ['ж', '語', 'ø', '한'] as const;
const astral = ['🦊', '𠮷'] as const;
/** One byte each, for texts that are limited in bytes as well. */
const narrow = ['a', 'k', 'x'] as const;

/** How many values of each sort a nested value has. */
const handful = 3;
/** A number of metadata pairs that no known service refuses. */
const mostPairs = 15;

/**
 * The one source of hard values. The same seed and names (journey and step) give the same ones. Free fields have every
 * value, whatever the seed; what exceeds common limits only if `isRisky`.
 */
export class Material {
  readonly #random: () => number;

  constructor(seed: number, ...of: readonly string[]) {
    this.#random = seeded(seedFor(seed, ...of));
  }

  /** Inputs of a start, without the marker: any JSON. */
  inputs(isRisky: boolean): Fields {
    const long = lengths.map((length) => this.text(length));
    return {
      ...easilyLost,
      ...named([...this.shuffled([...allTexts, ...numbers, ...shapes]), ...long], 'value'),
      ...named(numbers, 'number'),
      ...Object.fromEntries(keys.map((key) => [key, this.word()])),
      nested: { ...this.#keyed(this.#handful()), list: this.#handful() },
      ...(isRisky && this.#riskyInputs()),
    };
  }

  /** Metadata of a start, without the marker: only texts. */
  metadata(isRisky: boolean): Readonly<Record<string, string>> {
    if (isRisky)
      return {
        ...named(this.shuffled(allTexts), 'pair'),
        ...Object.fromEntries([...keys, ...risky.keys].map((key) => [key, this.word()])),
        ...named(risky.texts, 'text'),
        long: this.text(risky.pairLength),
      };
    const words = Object.values(texts).map((kind) => this.pick(kind));
    return { ...this.#keyed(this.shuffled(words).slice(0, mostPairs - 3)), blank: '', long: this.text(lengths[0]) };
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
    const names = this.shuffled(keys);
    return Object.fromEntries(values.map((value, index) => [names[index] ?? `key-${index}`, value]));
  }

  #riskyInputs(): Fields {
    let deep: unknown = this.word();
    for (let depth = 0; depth < risky.depth; depth += 1) deep = depth % 2 === 0 ? { deep } : [deep];
    return {
      ...named([...risky.texts, ...risky.numbers], 'risky'),
      ...Object.fromEntries(risky.keys.map((key) => [key, this.word()])),
      'nested-risky': Object.fromEntries(
        risky.keys.filter((key) => key !== '__proto__').map((key) => [key, this.pick(numbers)]),
      ),
      deep,
      long: this.text(risky.length, '', narrow),
      items: Array.from({ length: risky.items }, (_, index) => index),
    };
  }
}

const allTexts = Object.values(texts).flat();

const named = <T>(values: readonly T[], name: string): Record<string, T> =>
  Object.fromEntries(values.map((value, index) => [`${name}-${index + 1}`, value]));
