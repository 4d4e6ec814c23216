/** The names of the fields of a start. interface: Versioning, deprecated request fields. */
import { operations } from '../../../generated/operations.js';
import type { StartField } from '../../engine/contract.js';
import { type Asked, fieldNames } from '../../engine/outcome/asked.js';
import type { Fields } from '../../engine/outcome/read.js';

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
