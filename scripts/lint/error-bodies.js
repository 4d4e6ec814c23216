import { basename } from 'node:path';

/** The names of a schema and of those that it extends. */
const namesOf = (schema, resolve) => {
  if (!schema) return [];
  const { node, location } = resolve(schema);
  const from = (ref) => resolve(ref, location?.source.absoluteRef);
  return [schema.$ref && basename(schema.$ref, '.yaml'), ...(node?.allOf ?? []).flatMap((one) => namesOf(one, from))];
};

/**
 * Every error response of an operation has the body that redocly.yaml names for it: the schema itself, or one that
 * extends it.
 *
 * @param {Record<string, string[]>} kinds schema name to operationIds
 */
export const errorBodies = (kinds) => ({
  Operation: {
    Response(response, { key, location, report, resolve }, { Operation: operation }) {
      if (String(key).startsWith('2')) return;
      const wanted = Object.keys(kinds).find((kind) => kinds[kind].includes?.(operation.operationId));
      if (wanted && namesOf(response.content?.['application/json']?.schema, resolve).includes(wanted)) return;
      report({
        message: wanted
          ? `The body of the error response ${key} of ${operation.operationId} must be ${wanted}.`
          : `redocly.yaml does not say which error body ${operation.operationId} has.`,
        location,
      });
    },
  },
});
