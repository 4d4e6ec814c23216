/** Compares what starts ask for. */

import { type OperationId, operations } from '../../../generated/operations.js';
import type { StartField } from '../../engine/contract.js';
import { isOfRun, isProbeOf } from '../../engine/outcome/mark.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import {
  type Asked,
  accepted,
  answerBody,
  type Fields,
  fieldNames,
  isFields,
  isMeantToPass,
  isRerunRequest,
  objectIn,
  refused,
  requestBody,
  requestFields,
  startedId,
  status,
} from '../../engine/outcome/read.js';
import { clocksApartMs, precedes, saysTheSame } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { asText, equal, itemsOf, sameId } from '../../engine/rule/values.js';
import type { Exchange, Finding, Trace } from '../../engine/vocabulary.js';
import { asksToQueue, freeFields } from '../executions/view.js';
import { startsAtOnce } from '../operations.js';

// The names of the fields of a start. interface: Versioning, deprecated request fields.

const start = { operation: 'executeSync' } as const;

/** The same under old names, where there are any. */
export const underOldNames = (body: Asked): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [fieldNames(start, field as StartField)[1] ?? field, value]),
  );

/** The same without fields, under any name. */
export const without = (body: Fields, ...fields: readonly StartField[]): Fields => {
  const names = fields.flatMap((field) => fieldNames(start, field));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
};

/** The names of which a start may have one, if it has this one: they exclude it, or mean the same. The first stands for all. */
export function alternativesOf(name: string): readonly string[] {
  const { deprecatedFields, exclusive } = operations[start.operation];
  const present = Object.entries(deprecatedFields).find(([old]) => old === name)?.[1] ?? name;
  const pair = exclusive.find((one) => (one as readonly string[]).includes(present)) ?? [present];
  return pair.flatMap((field) => fieldNames(start, field as StartField));
}

/** The names of fields that callers may fill freely. Which names and values a workflow makes use of is not shown. */
const freeFieldsOf = (start: Exchange): readonly string[] =>
  Object.values(freeFields).flatMap((field) => fieldNames(start, field));

/**
 * Whether a refused start asks for nothing, besides these fields, that was not accepted in another start, and its free
 * fields are not named as the reason. Only then the refusal is about these fields.
 */
export function asksOnlyAccepted(start: Exchange, fields: readonly string[], exchanges: readonly Exchange[]): boolean {
  const freeFields = freeFieldsOf(start);
  const free = [...fields, ...freeFields];
  const accepting = exchanges.filter((other) => accepted(other) && other.operation === start.operation);
  return (
    areFilledElsewhere(start, exchanges) &&
    !blamedOf(start).some((field) => freeFields.includes(field)) &&
    Object.entries(requestBody(start) ?? {})
      .filter(([field]) => !free.includes(field))
      .every(([field, value]) => accepting.some((other) => equal(requestBody(other)?.[field], value)))
  );
}

/** The fields that a refusal names, if all are fields of its request. interface: Errors, errors[].parameter. */
function blamedOf(refusal: Exchange): string[] {
  const { errors } = (refused(refusal) && answerBody(refusal)) || {};
  const names = itemsOf(errors).map((one) => (isFields(one) ? asText(one.parameter) : ''));
  const tops = names.map((name) => name.split(/\W+/).find(Boolean) ?? '');
  return tops.every((top) => top in (requestBody(refusal) ?? {})) ? tops : [];
}

/** Whether a refusal names fields of its request, but none of these. */
export function namesOnlyOtherFields(refusal: Exchange, fields: readonly string[]): boolean {
  const blamed = blamedOf(refusal);
  return blamed.length > 0 && !blamed.some((field) => fields.includes(field));
}

/** Whether each free field that a start fills was filled in an accepted start too. If not, it may be the reason. */
export const areFilledElsewhere = (start: Exchange, exchanges: readonly Exchange[]): boolean =>
  freeFieldsOf(start)
    .filter((field) => isFilled(start, field))
    .every((field) => exchanges.some((other) => accepted(other) && isFilled(other, field)));

const isFilled = (start: Exchange, field: string): boolean =>
  Object.keys(objectIn(requestBody(start), field)).length > 0;

/** Whether a start may be refused because its temp file is gone: a file may be there for a single start only. */
export function mayLackFile(start: Exchange, exchanges: readonly Exchange[]): boolean {
  const files = requestFields(start).tempFiles;
  const isThere = exchanges.some(
    (other) => accepted(other) && equal(requestFields(other).tempFiles, files) && precedes(start, other),
  );
  if (files === undefined || isThere) return false;
  const missing = exchanges.filter((one) => startsAtOnce(one) && isProbeOf(one, 'temp-files-must-exist'));
  return status(start) === 404 || (missing.length > 0 && missing.every((one) => saysTheSame(one, start)));
}

/** What a start asks for, without some of its fields. */
export const requestFieldsWithout = (start: Exchange, ...fields: readonly StartField[]): Fields =>
  Object.fromEntries(
    Object.entries(requestFields(start)).filter(([name]) => !(fields as readonly string[]).includes(name)),
  );

/** The options that a start asks for: its body without what is free, and the wait. */
export const requestedOptions = (start: Exchange): Fields =>
  requestFieldsWithout(start, 'timeoutSeconds', ...Object.values(freeFields));

/** Whether a start asks for no profile: then only the limit of the organization can make it wait. */
export function isUnbound(start: Exchange): boolean {
  const { profileId, profileGroupId } = requestFields(start);
  return profileId === undefined && profileGroupId === undefined;
}

// Starts refused for combining acceptable fields. interface: POST execute, all optional; Errors rules 3 to 5.

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

// Finds two starts that were answered with one execution.
/** Whether two starts are known to ask for different things. A recording may lack their bodies. */
function asksOtherwise(one: Exchange, other: Exchange): boolean {
  const [a, b] = [requestBody(one), requestBody(other)];
  return a !== undefined && b !== undefined && !equal(a, b);
}

/**
 * Whether these are two starts. In a recording they may be one, seen by two recorders with different clocks, each of
 * which lacks other parts of the body.
 */
const areTwo = (one: Exchange, other: Exchange): boolean =>
  (isOfRun(one) && isOfRun(other)) ||
  !sameId(one.resource, other.resource) ||
  (asksOtherwise(one, other) && Math.abs(other.at - one.at) > clocksApartMs);
/**
 * Reports starts that were answered with the execution of another one, if `own` holds for them; of one that starts from
 * an execution, if it holds for the one that began that.
 */
export const startedTwice = (
  { start, otherStarts = [] }: Trace,
  own: (start: Exchange) => boolean,
  expected: string,
): Finding[] => {
  const [first, ...others] = [start ?? [], otherStarts].flat();
  return others.flatMap((other) =>
    first && own(isRerunRequest(other) ? first : other) && areTwo(first, other)
      ? violated([other, first], expected, `${startedId(first)} for two`)
      : [],
  );
};
