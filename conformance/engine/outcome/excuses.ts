/** Reasons for which the refusal of a valid request is not held against the target. */
import { noAnswer, seen } from '../rule/words.js';
import type { Exchange } from '../vocabulary.js';
import { isGatewayStatus, isTooLong } from './lost.js';

/** A key or a plan may lack a permission, a service may be at a limit or out of order: valid requests meet these as well. */
const passing = new Set([401, 402, 403, 409, 420, 423, 429]);

/** Why the refusal of a valid request is not held against the target; undefined where it is. */
export function excuse(exchange: Exchange): string | undefined {
  if (!exchange.response) return noAnswer(exchange);
  const { status } = exchange.response;
  if (!passing.has(status) && !isGatewayStatus(status) && !isTooLong(exchange)) return undefined;
  return `A request that should be accepted was answered ${answerText(exchange)}, which may be temporary.`;
}

export const answerText = ({ response }: Exchange): string => (response ? seen(response) : 'no answer');
