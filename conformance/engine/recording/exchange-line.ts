/** Reads an exchange as this suite writes it, in a JSON report or in a line of its own. */
import { cut } from '../http/body.js';
import { memoize } from '../memoize.js';
import { type Fields, isFields } from '../outcome/read.js';
import type { Failure } from '../vocabulary.js';
import {
  fieldsOf,
  headerOf,
  lasting,
  Malformed,
  type Message,
  noAnswer,
  numberOf,
  type Raw,
  type RawBody,
  textOf,
  timeOf,
} from './raw.js';

export function fromExchange(value: Fields): Raw {
  const request = fieldsOf(value.request, 'request');
  const common = {
    at: timeOf(value.at, 'at'),
    durationMs:
      typeof value.durationMs === 'number' && value.durationMs >= 0 && value.untimed !== true
        ? lasting(value.durationMs)
        : undefined,
    request: requestOf(request),
  };
  if (value.response === undefined) return { ...common, failure: failureOf(value.failure) };
  const response = fieldsOf(value.response, 'response');
  return {
    ...common,
    response: {
      headers: headersOf(response.headers, 'response'),
      body: bodyOf(response.body, 'response'),
      status: numberOf(response.status, 'response.status'),
      ...(typeof response.repeatsKey === 'boolean' && { repeatsKey: response.repeatsKey }),
    },
  };
}

const requestOf = memoize(
  (request: Fields): Message => ({
    headers: headersOf(request.headers, 'request'),
    body: bodyOf(request.body, 'request'),
  }),
);

const headersOf = (headers: unknown, of: string): Message['headers'] =>
  headers === undefined || headers === null ? {} : inLowerCase(fieldsOf(headers, `${of}.headers`), `${of}.headers`);

const inLowerCase = memoize((headers: Fields, of: string): Message['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerOf(value, of)])),
);

const bodyOf = (body: unknown, of: string): RawBody =>
  body === undefined ? { text: '', isWhole: true } : readBody(isFields(body) ? body : {}, `${of}.body`);

const readBody = memoize(({ kind, value, text }: Fields, name: string): RawBody => {
  if (kind === 'none') return { text: '', isWhole: true };
  if (kind === 'json' && value !== undefined) {
    cut(value);
    return { text: JSON.stringify(value), isWhole: true };
  }
  // As it was sent, whatever it is; and what was not kept.
  if (kind === 'text') return { text: textOf(text, `${name}.text`), isWhole: true };
  if (kind === 'lost') return { text: '', isWhole: false };
  if (kind === 'not-json') return { text: textOf(text, `${name}.text`), isWhole: true };
  throw new Malformed(
    `${name} is of no kind that is known: none, json with a value, text or not-json with a text, lost`,
  );
});

const failureOf = (failure: unknown): Failure =>
  isFields(failure)
    ? {
        kind: textOf(failure.kind, 'failure.kind') as Failure['kind'],
        message: textOf(failure.message, 'failure.message'),
      }
    : noAnswer;
