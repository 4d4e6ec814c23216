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
