import { type OperationId, operations } from '../../generated/operations.js';
import type { Behaviour } from '../behaviour/index.js';
import type { Answer } from '../call.js';
import type { Choices } from '../choices.js';
import type { Problem } from '../errors.js';

/** The answer for a problem, in the error body of the operation. */
export function errorAnswer(behaviour: Behaviour, operation: OperationId | undefined, problem: Problem): Answer {
  const kind = operation === undefined ? 'simple' : operations[operation].errorBody;
  const chosen = kind === 'either' ? behaviour.filesErrorBody() : kind;
  const present = chosen === 'standard' ? behaviour.presentStandardError : behaviour.presentSimpleError;
  return { status: problem.status, body: present(problem) };
}

/** Sent with every answer. gap: rate-limit-headers. */
export const rateLimitHeaders: Record<Choices['rate-limit-headers'], Readonly<Record<string, string>>> = {
  none: {},
  'x-ratelimit': { 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '999', 'X-RateLimit-Reset': '60' },
  ratelimit: { 'RateLimit-Limit': '1000', 'RateLimit-Remaining': '999', 'RateLimit-Reset': '60' },
};

export function toResponse(
  text: string | null,
  { status, headers }: Answer,
  always: Readonly<Record<string, string>>,
): Response {
  return new Response(text, {
    status,
    headers: { ...(text !== null && { 'Content-Type': 'application/json' }), ...always, ...headers },
  });
}
