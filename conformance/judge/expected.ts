/** What the target file and the marks of the suite say would happen. */
import type { ExecutionStatus } from '../../generated/types.js';
import { isGatewaysStatus } from '../evidence/lost.js';
import { accepted, type Fields, sent } from '../evidence/read.js';
import { equal } from '../evidence/values.js';
import { type Exchange, type Facts, type WorkflowRole, workflowRoles } from '../vocabulary.js';
import { noAnswer, seen } from './words.js';

const reaches: Readonly<Record<WorkflowRole, ExecutionStatus>> = {
  completes: 'completed',
  fails: 'failed',
  cancelled: 'cancelled',
  pauses: 'paused',
  pausesByAgent: 'paused_by_agent',
  awaitsConfirmation: 'awaiting_confirmation',
  slow: 'completed',
  variantMode: 'completed',
  writesFiles: 'completed',
};

/**
 * The states that a run reaches by itself, as far as the target file says so. Of the editable head it says nothing, and
 * a run that the suite did not start may have been stopped by somebody.
 */
export function expectedStates(start: Exchange, facts: Facts): ExecutionStatus[] {
  if (!meantToPass(start) || start.mark?.strayed || sent(start)?.head === true) return [];
  const { workflows, capacity } = facts;
  const roles = workflowRoles.filter((role) => workflows[role] === start.resource).map((role) => reaches[role]);
  return [...new Set(capacity?.workflow === start.resource ? [...roles, 'completed' as const] : roles)];
}

/** Sent by the suite with the right key and without a fault. */
export const meantToPass = ({ mark }: Exchange): boolean =>
  mark?.credential === 'primary' && mark.probe === undefined && mark.odd === undefined && mark.superseded === undefined;

/** A key or a plan may lack a permission, a service may be at a limit or out of order: valid requests meet these as well. */
const passing = new Set([401, 402, 403, 409, 420, 423, 429]);

/** Why the refusal of a valid request is not held against the target; undefined where it is. */
export function excuse(exchange: Exchange): string | undefined {
  if (!exchange.response) return noAnswer(exchange);
  const { status } = exchange.response;
  if (!passing.has(status) && !isGatewaysStatus(status)) return undefined;
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
