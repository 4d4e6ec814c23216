import { basename } from 'node:path';

/**
 * Every error response of an operation has the same body: one of those that redocly.yaml lists, or one that extends it.
 *
 * @param {{ bodies?: string[] }} options names of schemas
 */
export const errorBodies = ({ bodies = [] }) => ({
  Operation({ operationId, responses = {} }, { location, report, resolve }) {
    const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
    const kinds = errors.map(([, response]) => {
      const schema = resolve(response).node?.content?.['application/json']?.schema ?? {};
      const names = [schema, ...(schema.allOf ?? [])].map(({ $ref }) => $ref && basename($ref, '.yaml'));
      return names.find((name) => bodies.includes(name));
    });
    const count = (kind) => kinds.filter((other) => other === kind).length;
    const [usual] = [...bodies].sort((a, b) => count(b) - count(a));
    for (const [index, [status]] of errors.entries())
      if (kinds[index] !== usual)
        report({
          message: `The body of the error response ${status} of ${operationId} must be ${usual}, as of its others.`,
          location: location.child(['responses', status]),
        });
  },
});
