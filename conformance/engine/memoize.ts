/** Memoization and caches. */

/**
 * Computes once for each object: evidence never changes, and many judges ask for the same. For other values it computes
 * each time. The further arguments must not affect the result, except for the text of an error.
 */
export function memoize<Of, Made, More extends readonly unknown[] = []>(
  make: (of: Of, ...more: More) => Made,
): (of: Of, ...more: More) => Made {
  const made = new WeakMap<Of & object, Made>();
  return (of, ...more) => {
    if (typeof of !== 'object' || of === null) return make(of, ...more);
    const known = made.get(of);
    if (known !== undefined) return known;
    const now = make(of, ...more);
    made.set(of, now);
    return now;
  };
}

/** Computes on first use. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * The latest entries, in two halves: when the younger half is full, the older one is dropped at once. Looking for the
 * oldest entry of a `Map` each time would take longer than everything else here.
 */
export class Recent<Key, Value> {
  readonly #half: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  constructor(most: number) {
    this.#half = most / 2;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    this.#young.set(key, value);
    if (this.#young.size > this.#half) [this.#old, this.#young] = [this.#young, new Map()];
  }
}
