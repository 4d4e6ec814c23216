/** A JSON Schema 2020-12: an object of keywords, or a boolean. */
export type Schema = boolean | { [keyword: string]: unknown };

const ofOne = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
];
const ofList = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const ofMap = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/**
 * Rebuilds a schema from its leaves up: `change` gets each subschema once, with its own subschemas already changed.
 * Only keywords that hold schemas are entered, so fields or values that look like schemas are left alone.
 */
export function mapSchema(
  schema: Schema,
  change: (schema: { [keyword: string]: unknown }, at: string) => Schema,
  at = '',
): Schema {
  if (typeof schema === 'boolean') return schema;
  const within = (child: unknown, path: string) => mapSchema(child as Schema, change, `${at}/${path}`);
  const mapped = Object.entries(schema).map(([keyword, value]) => {
    if (ofOne.includes(keyword)) return [keyword, within(value, keyword)];
    if (ofList.includes(keyword))
      return [keyword, (value as Schema[]).map((child, index) => within(child, `${keyword}/${index}`))];
    if (ofMap.includes(keyword))
      return [
        keyword,
        Object.fromEntries(
          Object.entries(value as object).map(([name, child]) => [name, within(child, `${keyword}/${name}`)]),
        ),
      ];
    return [keyword, value];
  });
  return change(Object.fromEntries(mapped), at);
}

/** Writes `false` for a field as `{ not: {} }`: many tools take `false` for no schema at all. */
export const withoutBooleans = (schema: Schema): Schema =>
  mapSchema(schema, (part) => {
    const fields = Object.entries((part.properties as { [name: string]: Schema } | undefined) ?? {});
    if (!fields.some(([, field]) => field === false)) return part;
    return {
      ...part,
      properties: Object.fromEntries(fields.map(([name, of]) => [name, of === false ? { not: {} } : of])),
    };
  });

/** The inverse of `withoutBooleans`. */
export const withBooleans = (schema: Schema): Schema =>
  mapSchema(schema, (part) => (JSON.stringify(part) === '{"not":{}}' ? false : part));
