/** Memoization and caches. */

/**
 * Computes once for each object: evidence never changes, and many judges ask for the same. The further arguments must
 * not affect the result, except for the text of an error.
 */
export function memoize<Of extends object, Made, More extends readonly unknown[] = []>(
  make: (of: Of, ...more: More) => Made,
): (of: Of, ...more: More) => Made {
  const made = new WeakMap<Of, Made>();
  return (of, ...more) => {
    const cached = made.get(of);
    if (cached !== undefined) return cached;
    const now = make(of, ...more);
    made.set(of, now);
    return now;
  };
}

/** Remembers only the latest result. */
export function memoizeLatest<Of, Made>(make: (of: Of) => Made): (of: Of) => Made {
  let latest: { readonly of: Of; readonly made: Made } | undefined;
  return (of) => {
    if (!latest || latest.of !== of) latest = { of, made: make(of) };
    return latest.made;
  };
}

/** Memoizes for a pair, whose first part is one of a few objects. A second part that is no object is not remembered. */
export function memoizePair<A extends object, B, Made>(make: (a: A, b: B) => Made): (a: A, b: B) => Made {
  const of = memoize((a: A) => memoize((b: B & object) => make(a, b)));
  return (a, b) => (typeof b === 'object' && b !== null ? of(a)(b) : make(a, b));
}

/** How many texts are remembered at a time. */
const mostTexts = 20_000;

/** Memoizes by text: names and values of one service come again and again. */
export function memoizeText<Text extends string, Made>(make: (text: Text) => Made): (text: Text) => Made {
  const made = new Map<Text, Made>();
  return (text) => {
    const cached = made.get(text);
    if (cached !== undefined || made.has(text)) return cached as Made;
    const now = make(text);
    if (made.size === mostTexts) made.clear();
    made.set(text, now);
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
