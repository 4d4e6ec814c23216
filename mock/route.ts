import { type Operation, type OperationId, operationIds, operations } from '../generated/operations.js';

export interface Route {
  readonly id: OperationId;
  readonly operation: Operation;
}

const templates = operationIds
  .flatMap((id) => {
    const operation: Operation = operations[id];
    return [operation.path, ...operation.otherPaths].map((path) => ({
      ...{ id, operation, path },
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
  })
  // Fixed words sort after parameters, so that in the map by method they replace them: `{` sorts after all letters.
  .sort((a, b) => (a.path < b.path ? 1 : -1));

/** The operations of a path, by method. The path is compared undecoded, because decoding may fail. */
export function routesOf(path: string): ReadonlyMap<string, Route> {
  const found = templates.filter(({ pattern }) => pattern.test(path));
  return new Map(found.map(({ id, operation }) => [operation.method, { id, operation }]));
}

/** Splits a request target, without the base path, into path and query; undefined if it lies outside the base path. */
export function splitTarget(target: string, basePath: string): { path: string; query: string } | undefined {
  if (!target.startsWith(`${basePath}/`)) return undefined;
  const [path = '', ...query] = target.slice(basePath.length).split('?');
  return { path, query: query.length > 0 ? `?${query.join('?')}` : '' };
}

export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
