import { basename } from 'node:path';

/**
 * Every error response of an operation has the body that redocly.yaml names for it: the schema itself, or one that
 * extends it.
 *
 * @param {Record<string, string[]>} kinds schema name to operationIds
 */
export const errorBodies = (kinds) => ({
  Operation: {
    Response(response, { key, location, report }, { Operation: operation }) {
      if (String(key).startsWith('2')) return;
      const wanted = Object.keys(kinds).find((kind) => kinds[kind].includes?.(operation.operationId));
      const schema = response.content?.['application/json']?.schema ?? {};
      const found = [schema, ...(schema.allOf ?? [])].map(({ $ref }) => $ref && basename($ref, '.yaml'));
      if (wanted && found.includes(wanted)) return;
      report({
        message: wanted
          ? `The body of the error response ${key} of ${operation.operationId} must be ${wanted}.`
          : `redocly.yaml does not say which error body ${operation.operationId} has.`,
        location,
      });
    },
  },
});
