/** What of a recorded exchange may be kept: neither keys nor what else lets somebody in. */
import { type Contract, contract } from '../contract.js';
import { type Redactor, redacted } from '../http/redact.js';
import { memoize } from '../memoize.js';

/** Headers whose values are shown: whatever is not known to be harmless may let somebody in. */
const shownHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'age', 'allow', 'cache-control', 'connection'],
  ...['content-disposition', 'content-encoding', 'content-language', 'content-length', 'content-type', 'date', 'etag'],
  ...['expires', 'host', 'keep-alive', 'last-modified', 'origin', 'pragma', 'retry-after', 'server', 'traceparent'],
  ...['transfer-encoding', 'user-agent', 'vary', 'via', 'www-authenticate', 'x-correlation-id', 'x-powered-by'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'],
]);

/** The parameters of the contract. What else a query or a header holds is not this service's, and may let somebody in. */
const declared = memoize(({ operations, operationIds }: Contract) => {
  const all = operationIds.map((id) => operations[id]);
  return {
    query: new Set(all.flatMap(({ queryParameters }) => queryParameters.map(({ name }) => name))),
    headers: new Set(all.flatMap(({ headerParameters }) => headerParameters.map(({ name }) => name.toLowerCase()))),
  };
});

/** Whether the value of a query parameter is shown. */
export const isShownInQuery = (name: string): boolean => declared(contract()).query.has(name);

/** An address without the values of its query that are not shown. */
export const withoutQueryValues = (url: string, isShown = isShownInQuery): string =>
  url
    .replace(/\?[^#]*/, (query) =>
      query.replaceAll(/(?<=[?&])([^&=]*)(=?)[^&]*/g, (part, name: string, equals: string) =>
        isShown(name) ? part : equals ? `${name}=${redacted}` : name && redacted,
      ),
    )
    .replace(/#.*$/s, '');
/** Whoever is named before the host is let in by that. */
export const withoutUser = (url: string): string => url.replace(/^(https?:\/\/)[^/?#]*@/, '$1');
/** What recorders write in the place of a key. */
const mask = /^\W*(?:redacted|masked|hidden|removed|api[_-]?key)\W*$|^(.)\1*$/i;

/** The keys that a request was sent with. */
export const keysIn = (headers: Readonly<Record<string, string>>): string[] =>
  contract()
    .keyHeaders.flatMap((name) => headers[name]?.split(', ') ?? [])
    .filter((key) => key !== '' && !mask.test(key));

/** Whether the value of a header is shown. */
export const isShown = (name: string): boolean => shownHeaders.has(name) || declared(contract()).headers.has(name);

/** `hadKey` tells whether there was one where none belongs. */
export function cleaned(raw: Readonly<Record<string, string>>, redactor: Redactor) {
  const headers: Record<string, string> = {};
  let hadKey = false;
  for (const [name, value] of Object.entries(raw)) {
    const line = `${name} ${value}`;
    hadKey ||= redactor.text(line) !== line;
    headers[redactor.text(name)] = isShown(name) ? redactor.text(value) : value && redacted;
  }
  return { headers, hadKey };
}
