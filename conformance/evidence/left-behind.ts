import { isTerminal } from '../../generated/lifecycle.js';
import type { Evidence, LeftBehind } from '../vocabulary.js';
import { accepted, answer, readable } from './read.js';

/** What a run could not take back: executions that it did not see end, and copies, which no operation deletes. */
export function leftBehind({ traces, exchanges }: Evidence): LeftBehind[] {
  const running = traces.flatMap(({ executionId, start, readings }): LeftBehind[] => {
    if (!start) return [];
    const last = readable(readings).at(-1)?.execution.status ?? answer(start)?.status;
    return isTerminal(String(last)) ? [] : [{ kind: 'execution', id: executionId, note: `last seen ${last}` }];
  });
  const copies = exchanges.flatMap((exchange): LeftBehind[] => {
    const id = exchange.operation === 'duplicateProfile' && accepted(exchange) ? answer(exchange)?.id : undefined;
    return typeof id === 'string' ? [{ kind: 'profile', id, note: `a copy of ${exchange.resource}` }] : [];
  });
  return [...running, ...copies];
}
