/** Starts workflows again whose runs did not go as the target file declares. */

import { isStopped, isTerminal } from '../../../generated/lifecycle.js';
import {
  type Fields,
  isStart,
  isWaitingStart,
  refused,
  requestBody,
  requestFields,
  startedId,
} from '../../engine/outcome/read.js';
import { answeredStatus, readings } from '../../engine/outcome/readings.js';
import type { Exchange, Trace } from '../../engine/vocabulary.js';
import type { Driver, Scenario } from '../driver.js';
import type { StartSpec } from '../starts/starting.js';
import { expectedStates } from '../target/roles.js';
import { asksToQueue, groupOf } from './view.js';

/**
 * Pauses between polls, one for each try. A failure of one in ten happens twice in a row now and then, but hardly three
 * times. A stop may be shorter than the first pause, but polling too often runs into rate limits.
 */
const looks = { stop: [200, 1000], end: [1000, 1000] } as const;
/** After this many failures in a row, the workflow itself is different from what is declared. */
const mostInARow = 2;

/**
 * Starts a workflow again, after all other scenarios, if its run did not go as declared: a stop may have passed unseen,
 * or a person may have cancelled or paused it. If the next run goes as declared, the first is not judged by its states.
 * Uses executions that are left of the budget.
 */
export const runAgain = (id: string, after: readonly Scenario[]): Scenario => ({
  id,
  sends: ['execute', 'executeSync', 'getExecution'],
  effect: 'execute',
  needs: [],
  after: after.map(({ id }) => id),
  steps: {
    '*': [],
  },
  async run(driver): Promise<void> {
    let inARow = 0;
    const own = after.map((scenario) => scenario.id);
    for (const stray of strays(driver)) {
      if (!own.includes(stray.start.mark?.scenario ?? '')) continue;
      inARow = (await goesAsDeclared(driver, stray)) ? 0 : inARow + 1;
      if (inARow === mostInARow) return;
    }
  },
});

/** A run that ended or stopped otherwise, and the state that it should have reached. */
interface Stray {
  readonly start: Exchange & Pick<StartSpec, 'operation'>;
  readonly reaches: string;
}

/** Leaves out runs that may have waited for room: a new one would not. Kept if only one of several went astray. */
function strays(driver: Driver): Stray[] {
  const { traces } = driver.evidence;
  const all = traces.flatMap((trace) => strayed(trace, driver) ?? []);
  const queued = all.filter(({ start }) => mayHaveWaited(start));
  const others = traces.filter(({ start }) => start && mayHaveWaited(start)).length - queued.length;
  return queued.length === 1 && others > 0 ? all : all.filter((one) => !queued.includes(one));
}

const mayHaveWaited = (start: Exchange): boolean =>
  answeredStatus(start) === 'queued' || (isWaitingStart(start) && asksToQueue(start) && groupOf(start) !== undefined);

function strayed({ start, readings: all, failedWait }: Trace, { facts }: Driver): Stray | undefined {
  if (!start || !isStart(start)) return undefined;
  const seen = [answeredStatus(start), ...readings(all).map(({ status }) => status)];
  const last = seen.at(-1) ?? '';
  const isOver = isTerminal(last) || (isStopped(last) && failedWait !== undefined);
  // A synchronous call may miss a stop, which an asynchronous run shows.
  const reaches = expectedStates(start, facts).find(
    (state) => !seen.includes(state) && (!isWaitingStart(start) || !isStopped(state)),
  );
  return isOver && reaches !== undefined ? { start, reaches } : undefined;
}

async function goesAsDeclared(driver: Driver, { start, reaches }: Stray): Promise<boolean> {
  const { scenario, step } = start.mark ?? {};
  driver.reportProgress(`runs a workflow again: the earlier run was not seen ${reaches}`);
  const tried: Exchange[] = [start];
  const again = (name: string, body: Fields | undefined) =>
    driver.start({
      step: `${scenario}-${name}`,
      operation: start.operation,
      id: driver.id(start.resource ?? undefined),
      body,
      repeats: tried,
    });
  for (const [place, longest] of looks[isStopped(reaches) ? 'stop' : 'end'].entries()) {
    const equal = await again(`${step}-${place + 1}`, requestBody(start));
    // An execution that has stopped may still hold the profile that the next one needs.
    const { profileGroupId, ...without } = requestFields(start);
    const started = refused(equal) && groupOf(start) ? await again(`${step}-elsewhere`, without) : equal;
    const executionId = startedId(started);
    const isThere = (seen: string) => seen === reaches;
    if (executionId !== undefined && (await driver.follow(executionId, reaches, isThere, { longest }))) return true;
    tried.push(started);
  }
  return false;
}
