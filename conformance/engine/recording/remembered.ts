const bits = 2 ** 28;
const probes = 6;

/**
 * Names of which it has to be known that they were here, however many there are: a Bloom filter (Bloom 1970) of 32 MB. It
 * forgets none; of a million names it takes one in ten thousand million others for one of them, of ten million one in ten
 * thousand.
 */
export class Remembered {
  #words: Uint32Array | undefined;

  add(name: string): void {
    this.#words ??= new Uint32Array(bits / 32);
    for (const place of places(name)) this.#words[place >>> 5] = (this.#words[place >>> 5] ?? 0) | (1 << (place & 31));
  }

  has(name: string): boolean {
    const words = this.#words;
    return (
      words !== undefined && places(name).every((place) => ((words[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0)
    );
  }
}

/** Two hashes (FNV-1a, and one of another prime) make any number of them: Kirsch and Mitzenmacher 2006. */
function places(name: string): number[] {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
    other ^= other >>> 15;
  }
  one ^= one >>> 16;
  return Array.from({ length: probes }, (_, turn) => ((one + turn * (other | 1)) >>> 0) % bits);
}
