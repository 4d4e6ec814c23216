import { nearest } from './nearest.js';

/** The service cannot be started the way it was asked for: one line that says why and the way out. */
export class Mistake extends Error {
  /** Usage or configuration. */
  readonly exitCode = 2;
}

/** Something that does not exist: which one was likely meant, or else which there are. */
export function unknown(what: string, given: string, known: readonly string[]): Mistake {
  const meant = nearest(given, known);
  return new Mistake(
    `${what} ${given} is unknown${meant ? `; did you mean ${meant}?` : `; there is ${known.join(', ')}.`}`,
  );
}
