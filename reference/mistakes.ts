import { distance } from 'fastest-levenshtein';

/** A mistake of the user in how the service is started. The message is one line: what is wrong, and what to do. */
export class Mistake extends Error {
  /** The exit code for usage or configuration. */
  readonly exitCode = 2;
}

/** Receives the failures of a service. */
export type Report = (error: unknown) => void;

/** The default report. For a mistake of the user, the stack does not help. */
export const toConsole: Report = (error) => console.error(error instanceof Mistake ? error.message : error);

/** A message lists no more names than this. */
const most = 50;

/** The mistake of a name that does not exist. Suggests the nearest name, or lists all of them. */
export function unknown(what: string, given: string, known: readonly string[]): Mistake {
  const [nearest] = known
    .map((name) => ({ name, edits: distance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const meant =
    nearest && nearest.edits <= Math.min(given.length / 2, Math.max(3, given.length / 4)) ? nearest.name : undefined;
  const all = known.length > most ? `the export faults lists all ${known.length}.` : `use one of ${known.join(', ')}.`;
  return new Mistake(`${what} ${given} is unknown; ${meant ? `did you mean ${meant}?` : all}`);
}
