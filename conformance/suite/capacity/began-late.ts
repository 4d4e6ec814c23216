import { answeredStatus, endReading } from '../../engine/outcome/readings.js';
import { instant, sameId } from '../../engine/rule/values.js';
import type { Evidence, Exchange } from '../../engine/vocabulary.js';
import { lifetime } from '../executions/lifetime.js';
import { asksToQueue, groupOf } from '../executions/view.js';

/** An execution that begins later than this after room was made may have waited for something else. */
const lateMs = 250;

/** Whether an execution that was queued began long after room was made, going by how long runs like it last. */
export function beganLate({ traces }: Evidence, group: string): boolean {
  const ends = traces.flatMap((trace) => {
    const execution = endReading(trace)?.execution;
    const [at, lasted] = [instant(execution?.terminalAt), lifetime(execution ?? {})];
    return trace.start && at !== undefined && lasted !== undefined ? [{ start: trace.start, at, lasted }] : [];
  });
  const usual = (start: Exchange): number =>
    Math.min(...ends.filter((one) => one.start.resource === start.resource && tells(one.start)).map(ofLife));
  const inTurn = ends.filter(({ start }) => sameId(groupOf(start), group)).sort((a, b) => a.at - b.at);
  return inTurn.some(({ start, at, lasted }, place) => {
    const before = inTurn[place - 1];
    if (!before || answeredStatus(start) !== 'queued' || at - lasted > before.at) return false;
    const late = at - usual(start) - before.at;
    return Number.isFinite(late) && late > Math.max(lateMs, usual(start) / 4);
  });
}

/** Whether its duration is typical for its workflow. */
const tells = (start: Exchange) => !asksToQueue(start) && !start.mark?.changedByRequest;

const ofLife = ({ lasted }: { readonly lasted: number }) => lasted;
