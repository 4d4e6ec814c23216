import type { Document, Operation } from './document.js';
import { conjuncts } from './resolve.js';
import type { Schema } from './schema.js';

/** Keywords of which the suite sends wrong values (conformance/suite/invalid-bodies.ts), or that restrict no values. */
const tried = [
  ...['type', 'format', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems', 'items', 'properties', 'required'],
  ...['additionalProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'default', 'examples', 'discriminator'],
  ...['title', 'description', 'deprecated'],
];

/** Keywords for which no valid value can be made up: the schema needs `examples`. */
const hard = ['pattern', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'];

/** Throws if a request has keywords that the suite would never test: services that ignore them would pass. */
export function refuseUntried(document: Document, operations: readonly Operation[]): void {
  const mistakes = operations.flatMap(({ id, request }) => {
    if (!request?.body) return [];
    const isOther = conjuncts(document, request.body.schema).some(({ type = 'object' }) => type !== 'object');
    const list = `${id}: a request is an object here: give it a field that holds the rest.`;
    return [...(isOther ? [list] : []), ...untried(document, request.body.schema, id, new Set())];
  });
  if (mistakes.length > 0) throw new Error([...new Set(mistakes)].join('\n'));
}

function* untried(document: Document, schema: Schema, place: string, seen: Set<unknown>): Generator<string> {
  for (const part of conjuncts(document, schema)) {
    if (seen.has(part)) continue;
    seen.add(part);
    for (const [keyword, value] of Object.entries(part)) {
      if (!tried.includes(keyword) && !keyword.startsWith('x-'))
        yield `${place}: the suite cannot generate invalid values for ${keyword}. Use another keyword, or add a rule.`;
      if (keyword === 'additionalProperties' && value === false)
        yield `${place}: fields that no schema names are allowed here. Leave out additionalProperties: false.`;
      if (hard.includes(keyword) && !('examples' in part))
        yield `${place}: a value for its ${keyword} has to be shown. Give the schema examples: […].`;
    }
    const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = part as Keywords;
    for (const [name, field] of Object.entries(properties)) yield* untried(document, field, `${place}.${name}`, seen);
    for (const inner of [items ?? true, additionalProperties ?? true, ...anyOf, ...oneOf])
      yield* untried(document, inner, `${place}.*`, seen);
  }
}

interface Keywords {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
