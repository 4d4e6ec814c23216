/** What requests ask for, with deprecated fields under the names that replace them. */
import type { StartField } from '../contract.js';
import type { Exchange } from '../vocabulary.js';
import { type Fields, type HasOperation, requestBody, traitsOf } from './read.js';

/** What a start asks for, whatever the values are. */
export type Asked = { readonly [Field in StartField]?: unknown };

/** The body of a start with old names replaced. Where both names are given, the present one counts. */
export function underPresentNames(request: HasOperation, body: Fields): Asked {
  const old = Object.entries(traitsOf(request)?.deprecatedFields ?? {}).filter(([name, by]) => by && name in body);
  if (old.length === 0) return body;
  const present = { ...body };
  for (const [name, by] of old) {
    if (by) present[by] ??= present[name];
    delete present[name];
  }
  return present;
}

/** What a start asks for; nothing, if its body is no object. */
export const asked = (start: Exchange): Asked => underPresentNames(start, requestBody(start) ?? {});

/** All names of a field of a request, the present one first. */
export const fieldNames = (request: HasOperation, field: StartField): readonly string[] => [
  field,
  ...Object.entries(traitsOf(request)?.deprecatedFields ?? {}).flatMap(([old, by]) => (by === field ? old : [])),
];

/** Whether a request gives a field by an old name. */
export const usesOldName = (request: Exchange, field: StartField): boolean =>
  fieldNames(request, field)
    .slice(1)
    .some((name) => requestBody(request)?.[name] !== undefined);
