import { truncate } from '../http/body.js';
import { type Fields, isFields } from '../outcome/read.js';
import type { Failure } from '../vocabulary.js';
import {
  boundedDuration,
  fieldsOf,
  headerOf,
  Malformed,
  type Message,
  noAnswer,
  numberOf,
  omittedBody,
  type RawBody,
  type RawExchange,
  textOf,
  timeOf,
  wholeBody,
} from './raw.js';

/** Reads an exchange as this suite writes it: in a JSON report, or as a line of NDJSON. */

export function fromExchange(value: Fields): RawExchange {
  const request = fieldsOf(value.request, 'request');
  const common = {
    at: timeOf(value.at, 'at'),
    durationMs:
      typeof value.durationMs === 'number' && value.durationMs >= 0 && value.untimed !== true
        ? boundedDuration(value.durationMs)
        : undefined,
    request: messageOf(request, 'request'),
  };
  if (value.response === undefined) return { ...common, failure: failureOf(value.failure) };
  const response = fieldsOf(value.response, 'response');
  return {
    ...common,
    response: {
      ...messageOf(response, 'response'),
      status: numberOf(response.status, 'response.status'),
      ...(typeof response.repeatsKey === 'boolean' && { repeatsKey: response.repeatsKey }),
    },
  };
}

const messageOf = ({ headers, body }: Fields, name: string): Message => ({
  headers: Object.fromEntries(
    Object.entries(fieldsOf(headers ?? {}, `${name}.headers`)).map(([header, value]) => [
      header.toLowerCase(),
      headerOf(value, `${name}.headers`),
    ]),
  ),
  body: body === undefined ? wholeBody('') : bodyOf(isFields(body) ? body : {}, `${name}.body`),
});

function bodyOf({ kind, value, text }: Fields, name: string): RawBody {
  if (kind === 'none') return wholeBody('');
  if (kind === 'json' && value !== undefined) {
    truncate(value);
    return wholeBody(JSON.stringify(value));
  }
  // A body as it was sent, or one that was not kept. This suite has looked at what it calls no JSON.
  if (kind === 'text' || kind === 'not-json')
    return { ...wholeBody(textOf(text, `${name}.text`)), isExact: kind === 'not-json' };
  if (kind === 'lost') return omittedBody;
  throw new Malformed(
    `${name} has an unknown kind; use none, json with a value, text or not-json with a text, or lost`,
  );
}

const failureOf = (failure: unknown): Failure =>
  isFields(failure)
    ? {
        kind: textOf(failure.kind, 'failure.kind') as Failure['kind'],
        message: textOf(failure.message, 'failure.message'),
      }
    : noAnswer;
