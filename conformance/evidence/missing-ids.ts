/** Ids that a target file names and the target does not have: a mistake in the file, not in the service. */
import type { OperationId } from '../../generated/operations.js';
import type { Evidence, Facts } from '../vocabulary.js';
import { status } from './read.js';
import { sameId } from './values.js';

export interface MissingId {
  /** As the target file has it: `workflows.completes`. */
  readonly name: string;
  readonly text: string;
}

const starts: readonly OperationId[] = ['execute', 'executeSync'];
const updates: readonly OperationId[] = ['updateProfile', 'duplicateProfile'];

/** The declared ids for which every request that named them rightly was answered 404. */
export function missingIds({ exchanges }: Evidence, facts: Facts): MissingId[] {
  const named: (readonly [name: string, id: string | undefined, operations: readonly OperationId[]])[] = [
    ...Object.entries(facts.workflows).map(([role, id]) => [`workflows.${role}`, id, starts] as const),
    ['capacity.workflow', facts.capacity?.workflow, starts],
    ['execution', facts.execution, ['getExecution', 'listExecutionFiles']],
    ['profile', facts.profile, updates],
    ['otherProfile', facts.otherProfile, updates],
    ['pool', facts.pool, ['deletePool']],
  ];
  if (!facts.stateful) return [];
  return named.flatMap(([name, id, operations]) => {
    const asked = exchanges.filter(
      ({ operation, resource, mark, response }) =>
        operation !== null &&
        operations.includes(operation) &&
        sameId(resource, id) &&
        response !== undefined &&
        mark?.credential === 'primary' &&
        mark.probe === undefined &&
        // A deletion whose answer was lost may have been made: what is answered when it is sent again tells.
        mark.superseded === undefined &&
        // What is refused for its body may be refused before anybody looks for the id.
        mark.odd === undefined,
    );
    return asked.length > 0 && asked.every((exchange) => status(exchange) === 404)
      ? [{ name, text: `${name} of the target file (${id}) does not exist there: it was answered 404 each time.` }]
      : [];
  });
}
