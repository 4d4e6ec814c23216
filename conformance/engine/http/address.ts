import { contract, type Operation, type OperationId, type Parameter } from '../contract.js';
import { once } from '../memoize.js';
import { inUrl } from '../rule/values.js';
import type { RequestSpec } from '../send/request-spec.js';

/**
 * What a text says as a URL; undefined where it is none. Not by `URL.canParse`: in Node 20 and 22 it calls every text with
 * an umlaut no URL, once V8 has optimized who asks.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** What a request asks of which service. */
export interface Address {
  readonly operation: OperationId;
  /** The id in the path, decoded, the last one where it has several; empty where it has none. */
  readonly resource: string;
  /** The other ids in the path, by their names. */
  readonly within: Readonly<Record<string, string>>;
  /** What stands before the contract's path, a gateway's own path included. */
  readonly baseUrl: string;
}

/** A word comes before an id, which may be any: `{` is behind all letters. */
const shapes = once(() => {
  const { operationIds, operations } = contract();
  const inOrder = operationIds.toSorted((a, b) => (operations[a].path < operations[b].path ? -1 : 1));
  return inOrder.map((operation) => {
    const { method, path, pathParameters } = operations[operation];
    const pattern = new RegExp(`^(https?://[^/?#]+(?:/[^?#]*)?)${path.replaceAll(/\{\w+\}/g, '([^/?#]+)')}$`);
    return { operation, method, pattern, others: pathParameters.slice(0, -1) };
  });
});

/** The path, with its ids and the query, that a request is sent to; also with what the query may not lack. */
export function pathTo(
  { path, pathParameters, queryParameters }: Operation,
  { id, within = {}, query = {} }: Pick<RequestSpec, 'id' | 'within' | 'query'>,
): string {
  const last = pathParameters.at(-1);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === last ? id : within[name];
    if (value === undefined) throw new Error(`${path} has {${name}}, of which the request does not say what it is.`);
    return inUrl(value);
  });
  const asked = `${new URLSearchParams({ ...requiredOf(queryParameters), ...query })}`;
  return asked === '' ? filled : `${filled}?${asked}`;
}

/** What is sent of parameters that a request may not lack, where it does not say what else. */
export const requiredOf = (parameters: readonly Parameter[]): Readonly<Record<string, string>> =>
  Object.fromEntries(parameters.filter(({ required }) => required).map(({ name, sample }) => [name, sample]));

/** Whether a request may belong to an operation of the contract. */
export const looksOwn = (url: string): boolean => url.includes(contract().prefix);

/** Undefined where a request belongs to no operation of the contract. */
export function addressOf(method: string, url: string): Address | undefined {
  if (!looksOwn(url)) return undefined;
  const bare = url.replace(/[?#].*$/s, '');
  for (const { operation, method: wanted, pattern, others } of shapes()) {
    const [, baseUrl, ...ids] = (method === wanted && pattern.exec(bare)) || [];
    if (baseUrl === undefined) continue;
    const within = Object.fromEntries(others.map((name, place) => [name, decoded(ids[place] ?? '')]));
    return { operation, resource: decoded(ids.at(-1) ?? ''), within, baseUrl };
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
