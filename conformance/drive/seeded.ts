/** A generator of numbers from 0 to 1 that begins the same way each time (Park and Miller's). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}
