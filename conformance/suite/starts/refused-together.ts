/** Starts refused for combining acceptable fields. interface: POST execute, all optional; Errors rules 3 to 5. */
import type { OperationId } from '../../../generated/operations.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import {
  accepted,
  isFields,
  isMeantToPass,
  refused,
  requestBody,
  requestFields,
  status,
} from '../../engine/outcome/read.js';
import { precedes } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { equal } from '../../engine/rule/values.js';
import type { Exchange, Finding } from '../../engine/vocabulary.js';
import { asksToQueue } from '../executions/view.js';
import { mayLackFile, requestedOptions } from './asked.js';

/** The profile or group that a start may have to wait for. */
const room = (start: Exchange): unknown => [requestFields(start).profileId, requestFields(start).profileGroupId];

/** Whether an accepted start shows room for a refused one. If it asked to queue, only for others that do. */
const concernsRoom = (taken: Exchange, refused: Exchange): boolean =>
  equal(room(taken), room(refused)) && (asksToQueue(refused) || !asksToQueue(taken));

/** A default, or a value with nothing in it: there is nothing to refuse. */
export const isEmptyOrDefault = (value: unknown): boolean =>
  value === false ||
  value === 'reject' ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0);

/** Whether a value was accepted in some start. Temp files need two such starts: one may be gone after its first use. */
export const wasAccepted = (field: string, value: unknown, taken: readonly Exchange[]): boolean =>
  taken.filter((one) => equal(requestedOptions(one)[field], value)).length > (field === 'tempFiles' ? 1 : 0);

/**
 * Fails if a start was refused before and after one that needs the same room and was accepted, though each of its
 * fields was accepted in some other start. So it is refused for the combination, or for what is in inputs and metadata,
 * and the interface forbids neither. Starts that may be refused because of limits that are not shown are not counted.
 */
export function refusedTogether(operation: OperationId, exchanges: readonly Exchange[]): Finding[] {
  const starts = exchanges.filter((one) => isMeantToPass(one) && isFields(requestBody(one)));
  const taken = starts.filter(accepted);
  const ours = starts.filter((one) => one.operation === operation);
  return ours.flatMap((again) => {
    // 413: the longest allowed body is not shown.
    if (!refused(again) || status(again) === 413 || outcomeOf(again).kind !== 'refused') return [];
    if (mayLackFile(again, exchanges)) return [];
    const first = ours.find(
      (one) => refused(one) && equal(requestBody(one), requestBody(again)) && precedes(one, again),
    );
    const between =
      first &&
      taken.find(
        (one) =>
          one.operation === operation &&
          one.resource === again.resource &&
          concernsRoom(one, again) &&
          precedes(first, one) &&
          precedes(one, again),
      );
    const asked = Object.entries(requestedOptions(again));
    const names = Object.keys(requestBody(again) ?? {}).filter((name) => name !== 'timeoutSeconds');
    const isTakenAlone = asked.every(([field, value]) => isEmptyOrDefault(value) || wasAccepted(field, value, taken));
    return between && isTakenAlone
      ? violated(
          [again, first, between],
          `a start with ${names.join(', ') || 'no fields'} accepted, as others with each of them`,
        )
      : [];
  });
}
