import { conjuncts, type Document, type Operation } from './document.js';
import type { Schema } from './schema.js';

/** Of these the suite sends wrong values (conformance/suite/wrong-bodies.ts), or they say nothing of values by themselves. */
const tried = [
  ...['type', 'format', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems', 'items', 'properties', 'required'],
  ...['additionalProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'default', 'examples', 'discriminator'],
  ...['title', 'description', 'deprecated'],
];

/** What a schema asks for that can be guessed from no keyword: the sample that goes with it has to be shown. */
const hard = ['pattern', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'];

/**
 * Throws for what the contract asks of a request that nobody would try: services that do not would be called conformant.
 */
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
        yield `${place}: of ${keyword} the suite knows no wrong values. Say it otherwise, or in words, with a rule.`;
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
