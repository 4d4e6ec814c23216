/** What the refusal of a request tells that was to be accepted. */
import { isGatewaysStatus, isTooLong } from '../evidence/lost.js';
import { accepted, type Fields, sent } from '../evidence/read.js';
import { equal } from '../evidence/values.js';
import type { Exchange } from '../vocabulary.js';
import { noAnswer, seen } from './words.js';

/** A key or a plan may lack a permission, a service may be at a limit or out of order: valid requests meet these as well. */
const passing = new Set([401, 402, 403, 409, 420, 423, 429]);

/** Why the refusal of a valid request is not held against the target; undefined where it is. */
export function excuse(exchange: Exchange): string | undefined {
  if (!exchange.response) return noAnswer(exchange);
  const { status } = exchange.response;
  if (!passing.has(status) && !isGatewaysStatus(status) && !isTooLong(exchange)) return undefined;
  return `A request that was to be accepted was answered ${heard(exchange)}, as it may be at times.`;
}

/**
 * Whether a refused start asks for nothing, beside these fields, that was not accepted in another start: only then the
 * refusal is theirs. Inputs and metadata are free.
 */
export function isPlain(start: Exchange, fields: readonly string[], exchanges: readonly Exchange[]): boolean {
  const free = [...fields, 'inputs', 'metadata'];
  const accepting = exchanges.filter((other) => accepted(other) && other.operation === start.operation);
  return Object.entries(sent(start) ?? {})
    .filter(([field]) => !free.includes(field))
    .every(([field, value]) => accepting.some((other) => equal(sent(other)?.[field], value)));
}

export const heard = ({ response }: Exchange): string => (response ? seen(response) : 'no answer');

/** What a start asks for, beside what tells it from others and how long to wait. */
export function wish(start: Exchange): Fields {
  const { inputs, metadata, timeoutSeconds, ...rest } = sent(start) ?? {};
  return rest;
}
