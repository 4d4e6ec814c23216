/** Groups recorded traffic: all exchanges of one execution, and all of one profile, form a history. */
import { type Operation, type OperationId, operations } from '../../generated/operations.js';
import { isStart, removes, startedId } from '../engine/outcome/read.js';
import type { History } from '../engine/vocabulary/recording.js';
import type { Exchange } from '../engine/vocabulary.js';
import { ExecutionHistory } from './executions/history.js';
import { UpdateHistory } from './profiles/history.js';

/** The name of the history that an exchange belongs to. */
export function historyOf(exchange: Exchange): string | undefined {
  const { operation, resource } = exchange;
  if (isStart(exchange)) {
    const id = startedId(exchange);
    return id && `execution ${id.toLowerCase()}`;
  }
  return operation === null ? undefined : historyBy(operation, resource ?? '');
}

/** The same, as far as path and operation tell. */
export function historyBy(operation: OperationId, resource: string): string | undefined {
  const { subject, effect, resource: about }: Operation = operations[operation];
  const isReading = effect === 'reads' && (about === 'execution' || about === 'file');
  const isPart = subject === 'profile' || (subject === 'execution' && (isReading || removes({ operation })));
  return isPart ? `${subject} ${resource.toLowerCase()}` : undefined;
}

/** `name` is one that `historyOf` gave. */
export const newHistory = (name: string, exchange: Exchange): History =>
  name.startsWith('profile') ? new UpdateHistory(exchange.resource ?? '') : new ExecutionHistory(executionOf(exchange));

const executionOf = (exchange: Exchange): string => startedId(exchange) ?? exchange.resource ?? '';
