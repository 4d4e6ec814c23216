import { suggestion } from '../common/nearest.js';
import { UserError } from '../common/user-error.js';

/** Receives the failures of a service. */
export type Report = (error: unknown) => void;

/** The default report. For a mistake of the user, the stack does not help. */
export const toConsole: Report = (error) => console.error(error instanceof UserError ? error.message : error);

/** A message lists no more names than this. */
const most = 50;

/** The mistake of a name that does not exist. Suggests the nearest name, or lists all of them. */
export function unknown(what: string, given: string, known: readonly string[]): UserError {
  const all = known.length > most ? `generated/docs/faults.md lists all ${known.length}.` : undefined;
  return new UserError(`${what} ${given} is unknown; ${suggestion(given, known, all)}`);
}
