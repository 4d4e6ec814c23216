/** Compares what starts ask for. */

import { operations } from '../../../generated/operations.js';
import type { StartField } from '../../engine/contract.js';
import {
  type Asked,
  accepted,
  answerBody,
  type Fields,
  fieldNames,
  isFields,
  objectIn,
  refused,
  requestBody,
  requestFields,
  status,
} from '../../engine/outcome/read.js';
import { precedes, saysTheSame } from '../../engine/outcome/when.js';
import { asText, equal, itemsOf } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { freeFields } from '../executions/view.js';
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
  const missing = exchanges.filter(
    ({ operation, mark }) => startsAtOnce({ operation }) && mark?.probe?.rule === 'temp-files-must-exist',
  );
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
