import { contract } from '../contract.js';
import { urlOf } from '../http/address.js';
import type { Report, ReportedExchange } from '../vocabulary/report.js';
import type { Body } from '../vocabulary.js';
import { jsonPieces, lazily } from './json.js';

/** The run as a HAR 1.2 archive, in pieces. As HAR demands, members of our own begin with an underscore. */
export function* har(report: Report): Generator<string> {
  const log = {
    version: '1.2',
    creator: { name: 'workflow-contract', version: contract().version },
    entries: lazily(report.exchanges, entry),
  };
  yield* jsonPieces({ log }, 3);
  yield '\n';
}

const unknownSize = -1;
/** HAR requires a version, but none is recorded. */
const httpVersion = 'HTTP/1.1';

function entry(one: ReportedExchange) {
  const { request, response, failure } = one;
  const url = uri(request.url);
  const text = textOf(request.body);
  return {
    startedDateTime: new Date(one.at).toISOString(),
    time: one.durationMs,
    request: {
      method: request.method,
      url,
      httpVersion,
      cookies: [],
      headers: pairs(request.headers),
      queryString: [...(urlOf(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
      ...(text !== undefined && { postData: { mimeType: mediaType(request.headers), text } }),
      headersSize: unknownSize,
      bodySize: size(request.body),
    },
    response: {
      // 0 for no answer, as browsers write it.
      status: response?.status ?? 0,
      statusText: '',
      httpVersion,
      cookies: [],
      headers: pairs(response?.headers ?? {}),
      content: {
        size: response ? size(response.body) : 0,
        mimeType: mediaType(response?.headers ?? {}),
        text: (response && textOf(response.body)) ?? '',
      },
      redirectURL: response?.headers.location ?? '',
      headersSize: unknownSize,
      bodySize: response ? size(response.body) : unknownSize,
    },
    cache: {},
    timings: { send: 0, wait: one.durationMs, receive: 0 },
    // Marks a measured 0, since other recorders write 0 for an unknown time.
    ...(!one.untimed && { _timed: true }),
    ...(failure && { _error: `${failure.kind}: ${failure.message}` }),
    // Needed because the key itself is redacted.
    ...(response && { _repeatsKey: response.repeatsKey }),
    _id: one.id,
    _operation: one.operation,
    _scenario: one.scenario,
    _step: one.step,
  };
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const mediaType = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

const textOf = (body: Body): string | undefined =>
  body.kind === 'none' ? undefined : body.kind === 'json' ? JSON.stringify(body.value) : body.text;

const size = (body: Body): number => (body.kind === 'none' ? 0 : body.bytes);

/** Escapes characters that are not allowed in a URI, and changes nothing else: dots in a path stay. */
const uri = (url: string): string => {
  const [authority = ''] = /^\w+:\/\/[^/?#]*/.exec(url) ?? [];
  const rest = url
    .slice(authority.length)
    .replaceAll(/[^\w!$%&'()*+,/:;=?@~.-]|%(?![\dA-Fa-f]{2})/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    );
  return authority + rest;
};
