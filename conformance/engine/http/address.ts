import { type Operation, type OperationId, operations } from '../../../generated/operations.js';
import { inUrl } from '../rule/values.js';
import type { Ask } from '../send/ask.js';

/** What a request asks of which service. */
export interface Address {
  readonly operation: OperationId;
  /** The id in the path, decoded: the last one where it has several, empty where it has none. */
  readonly resource: string;
  /** What stands before the contract's path, a gateway's own path included. */
  readonly baseUrl: string;
}

const shapes = Object.entries(operations).map(([operation, { method, path }]: [string, Operation]) => ({
  operation: operation as OperationId,
  method,
  pattern: new RegExp(`^(https?://[^/?#]+(?:/[^?#]*)?)${path.replaceAll(/\{\w+\}/g, '([^/?#]+)')}$`),
}));

/** The path, with its ids and the query, that a request is sent to. */
export function pathTo(
  { path, pathParameters }: Operation,
  { id, within = {}, query = {} }: Pick<Ask, 'id' | 'within' | 'query'>,
): string {
  const last = pathParameters.at(-1);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inUrl(name === last ? id : (within[name] ?? '')));
  const asked = `${new URLSearchParams(query)}`;
  return asked === '' ? filled : `${filled}?${asked}`;
}

/** What every path of the contract begins with: most requests of other APIs are told by that alone. */
const prefix = '/agents/v2/';

/** Whether a request may belong to an operation of the contract. */
export const looksOwn = (url: string): boolean => url.includes(prefix);

/** Undefined where a request belongs to no operation of the contract. */
export function addressOf(method: string, url: string): Address | undefined {
  if (!looksOwn(url)) return undefined;
  const bare = url.replace(/[?#].*$/s, '');
  for (const { operation, method: wanted, pattern } of shapes) {
    const [, baseUrl, ...ids] = (method === wanted && pattern.exec(bare)) || [];
    if (baseUrl !== undefined) return { operation, resource: decoded(ids.at(-1) ?? ''), baseUrl };
  }
  return undefined;
}

/** The path of an address as it was written. What a recorder put in the place of a host may make it no URL. */
export const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

/** As it was written where it cannot be decoded. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
