import { basename } from 'node:path';

/** The names of a schema and of the schemas that it extends. */
const namesOf = (schema, resolve) => {
  if (!schema) return [];
  const { node, location } = resolve(schema);
  const from = (ref) => resolve(ref, location?.source.absoluteRef);
  return [schema.$ref && basename(schema.$ref, '.yaml'), ...(node?.allOf ?? []).flatMap((one) => namesOf(one, from))];
};

/**
 * All error responses of an operation must have the same body: one that redocly.yaml lists, or one that extends it.
 * @param {{ bodies?: string[] }} options names of schemas
 */
export const errorBodies = ({ bodies = [] }) => ({
  Operation({ operationId, responses = {} }, { location, report, resolve }) {
    const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
    const kinds = errors.map(([, response]) => {
      const { node, location: place } = resolve(response);
      const from = (ref) => resolve(ref, place?.source.absoluteRef);
      return namesOf(node?.content?.['application/json']?.schema, from).find((name) => bodies.includes(name));
    });
    const count = (kind) => kinds.filter((other) => other === kind).length;
    const [usual] = [...bodies].sort((a, b) => count(b) - count(a));
    for (const [index, [status]] of errors.entries())
      if (kinds[index] !== usual)
        report({
          message: `The body of the error response ${status} of ${operationId} must be ${usual}, or extend it by allOf, as of its others.`,
          location: location.child(['responses', status]),
        });
  },
});
