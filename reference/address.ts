import { type OperationId, operationIds, operations } from '../generated/operations.js';

/** All paths of operations. A fixed word is matched before a parameter, since `{` sorts after all letters. */
export const routes = operationIds
  .flatMap((operation) => {
    const { method, path, otherPaths } = operations[operation];
    return [path, ...otherPaths].map((path) => ({ operation, method, path }));
  })
  .toSorted((a, b) => (a.path < b.path ? -1 : 1));

const shapes = routes.map((one) => ({ ...one, pattern: RegExp(`${one.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) }));

/** The operation of a request, with the last id in its path; undefined if it is not one of the contract. */
export function addressOf(method: string, url: string): { operation: OperationId; id: string | undefined } | undefined {
  const { pathname } = new URL(url);
  for (const one of shapes) {
    const found = one.method === method && one.pattern.exec(pathname);
    if (found) return { operation: one.operation, id: found.slice(1).at(-1) };
  }
  return undefined;
}
