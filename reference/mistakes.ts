import { distance } from 'fastest-levenshtein';

/** The service cannot be started the way it was asked for: one line that says why and the way out. */
export class Mistake extends Error {
  /** Usage or configuration. */
  readonly exitCode = 2;
}

/** Takes the failures of a service. */
export type Report = (error: unknown) => void;

/** Where they go, unless the user says otherwise. Of a mistake of the user's own no stack helps. */
export const toConsole: Report = (error) => console.error(error instanceof Mistake ? error.message : error);

/** More names than this are no help on a line. */
const most = 50;

/** Something that does not exist: which one was likely meant, or else which there are. */
export function unknown(what: string, given: string, known: readonly string[]): Mistake {
  const [nearest] = known
    .map((name) => ({ name, edits: distance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const meant = nearest && nearest.edits <= Math.min(3, given.length / 2) ? nearest.name : undefined;
  const all = known.length > most ? `docs/proof.md lists all ${known.length}.` : `use one of ${known.join(', ')}.`;
  return new Mistake(`${what} ${given} is unknown; ${meant ? `did you mean ${meant}?` : all}`);
}
