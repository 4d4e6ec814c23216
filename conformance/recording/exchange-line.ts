/** Reads an exchange as this suite writes it, in a JSON report or in a line of its own. */
import { type Fields, isFields } from '../evidence/read.js';
import type { Failure } from '../vocabulary.js';
import { fieldsOf, Malformed, numberOf, type Raw, type RawBody, textOf, timeOf } from './raw.js';

export function fromExchange(value: Fields): Raw {
  const request = fieldsOf(value.request, 'request');
  const common = {
    at: timeOf(value.at, 'at'),
    durationMs: numberOf(value.durationMs ?? 0, 'durationMs'),
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

function messageOf(message: Fields, name: string) {
  const headers: Record<string, string> = {};
  for (const [key, value] of Object.entries(fieldsOf(message.headers ?? {}, `${name}.headers`)))
    headers[key.toLowerCase()] = String(value);
  return { headers, body: bodyOf(message.body, `${name}.body`) };
}

function bodyOf(body: unknown, name: string): RawBody {
  if (body === undefined) return { text: '', isWhole: true };
  const { kind, value, text } = fieldsOf(body, name);
  if (kind === 'none') return { text: '', isWhole: true };
  if (kind === 'json' && value !== undefined) return { text: JSON.stringify(value), isWhole: true, value };
  // As it was sent, whatever it is; and what was not kept.
  if (kind === 'text') return { text: textOf(text, `${name}.text`), isWhole: true };
  if (kind === 'lost') return { text: '', isWhole: false };
  if (kind === 'not-json') return { text: textOf(text, `${name}.text`), isWhole: true };
  throw new Malformed(
    `${name} is of no kind that is known: none, json with a value, text or not-json with a text, lost`,
  );
}

const failureOf = (failure: unknown): Failure =>
  isFields(failure)
    ? {
        kind: textOf(failure.kind, 'failure.kind') as Failure['kind'],
        message: textOf(failure.message, 'failure.message'),
      }
    : { kind: 'broken', message: 'The recording holds no answer.' };
