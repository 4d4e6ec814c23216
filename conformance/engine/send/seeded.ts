const modulus = 2147483647;

/** A random number generator for 0 to 1 that a seed determines (Park and Miller's). */
export function seeded(seed: number): () => number {
  // A state of 0 would stay 0.
  let state = (Math.abs(Math.trunc(seed)) % (modulus - 1)) + 1;
  return () => {
    state = (state * 48271) % modulus;
    return state / modulus;
  };
}

/** Derives a seed for each name from one seed (the hash of Fowler, Noll and Vo). */
export function seedFor(seed: number, ...names: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const char of [String(seed), ...names].join('\n')) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** A random UUID. */
export function uuidOf(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Replaces each letter and digit of an example as far as the pattern allows: a fixed prefix stays. */
export function madeUpLike(like: string, pattern: string, random: () => number): string {
  const kinds = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  let text = like;
  for (const [place, char] of [...like].entries()) {
    const kind = kinds.find((one) => one.includes(char)) ?? char;
    const other = text.slice(0, place) + kind[Math.floor(random() * kind.length)] + text.slice(place + 1);
    if (new RegExp(pattern, 'u').test(other)) text = other;
  }
  return text;
}

/** A seed for a run without one, short enough to be typed. */
export const randomSeed = (): number => Math.floor(Math.random() * 1e9);
