import { type OperationId, operationIds, operations } from '../generated/operations.js';

/** A fixed word is matched before a parameter, since `{` sorts after all letters. */
const shapes = operationIds
  .toSorted((a, b) => (operations[a].path < operations[b].path ? -1 : 1))
  .map((operation) => {
    const { method, path } = operations[operation];
    return { operation, method, pattern: RegExp(`${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) };
  });

/** The operation of a request, with the last id in its path; undefined if it is not one of the contract. */
export function addressOf(method: string, url: string): { operation: OperationId; id: string | undefined } | undefined {
  const { pathname } = new URL(url);
  for (const one of shapes) {
    const found = one.method === method && one.pattern.exec(pathname);
    if (found) return { operation: one.operation, id: found.slice(1).at(-1) };
  }
  return undefined;
}
