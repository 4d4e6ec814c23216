/** Which operation a request belongs to, and which URL an operation is sent to. */
import { contract, type Operation, type OperationId, type Parameter } from '../contract.js';
import { once } from '../memoize.js';
import { urlEncoded } from '../rule/values.js';
import type { Exchange } from '../vocabulary.js';

/** The operation, the id and the base URL of a request. */
export interface Address {
  readonly operation: OperationId;
  /** The id in the path, decoded; empty if there is none. */
  readonly resource: string;
  /** What comes before the contract's path, including a gateway's own path. */
  readonly baseUrl: string;
  /** Which of the paths of the operation it is, as a template. */
  readonly path: string;
}

/**
 * Parses a URL; undefined if it is none. `URL.canParse` is no alternative: Node 20 and 22 return false for every text
 * with an umlaut once V8 has optimised the caller.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The pattern of each path. A fixed word is tried before an id, since `{` sorts after all letters. */
const shapes = once(() => {
  const { operationIds, operations } = contract();
  const all = operationIds.flatMap((operation) => {
    const { method, path, otherPaths } = operations[operation];
    return [path, ...otherPaths].map((path) => ({ operation, method, path }));
  });
  return all
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((one) => {
      const pattern = new RegExp(`^(https?://[^/?#]+(?:/[^?#]*)?)${one.path.replace(/\{\w+\}/, '([^/?#]+)')}$`);
      return { ...one, pattern };
    });
});

/** The path and query of a request, with sample values for required parameters that it does not set. */
export function pathTo(
  { path, queryParameters }: Pick<Operation, 'path' | 'queryParameters'>,
  { id, query = {} }: { readonly id: string; readonly query?: Readonly<Record<string, string>> },
): string {
  const filled = path.replace(/\{\w+\}/, () => urlEncoded(id));
  const asked = `${new URLSearchParams({ ...requiredOf(queryParameters), ...query })}`;
  return asked === '' ? filled : `${filled}?${asked}`;
}

/** The required parameters with their samples. */
const requiredOf = (parameters: readonly Parameter[]): Readonly<Record<string, string>> =>
  Object.fromEntries(parameters.filter(({ required }) => required).map(({ name, sample }) => [name, sample]));

/** Whether a request may belong to an operation of the contract. */
const mayBeOfContract = (url: string): boolean => url.includes(contract().prefix);

/** Undefined for a request of no operation of the contract. */
export function addressOf(method: string, url: string): Address | undefined {
  if (!mayBeOfContract(url)) return undefined;
  const bare = url.replace(/[?#].*$/s, '');
  for (const { operation, method: wanted, path, pattern } of shapes()) {
    const [, baseUrl, id = ''] = (method === wanted && pattern.exec(bare)) || [];
    if (baseUrl === undefined) continue;
    return { operation, resource: decoded(id), baseUrl, path };
  }
  return undefined;
}

/** Unchanged if it cannot be decoded. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The requests to deprecated paths, each once: `OPERATION by GET /path`. */
export const deprecatedCalls = (
  of: readonly { readonly request: Pick<Exchange['request'], 'method' | 'url'> }[],
): string[] => {
  const found = of.flatMap(({ request: { method, url } }) => {
    const { operation, path } = addressOf(method, url) ?? {};
    const isDeprecated = operation && path && contract().operations[operation].deprecatedPaths.includes(path);
    return isDeprecated ? [`${operation} by ${method} ${path}`] : [];
  });
  return [...new Set(found)];
};
