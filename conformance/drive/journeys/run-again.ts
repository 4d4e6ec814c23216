import { acceptedExecutionId } from '../../evidence/read.js';
import { isStop } from '../../evidence/runs.js';
import type { Driver, Journey } from '../driver.js';
import type { Missed } from '../session.js';
import { marked } from './requests.js';

/** A stop may last for no longer than the first; where requests are limited, who looks too often is kept from looking. */
const looksAwayMs = [200, 1000] as const;

/**
 * Runs a workflow again that ended otherwise than it is declared to, when nobody else sends any more: a stop may have passed
 * unseen, and a person may have cancelled the run. It takes of the executions that are left.
 */
export const runAgain = (after: readonly Journey[]): Journey => ({
  id: 'run-again',
  effect: 'execute',
  needs: [],
  after: after.map(({ id }) => id),
  async run(driver) {
    for (const missed of driver.missed)
      for (const longest of looksAwayMs)
        if (await isSeen(driver, missed, longest)) {
          // What was missed before is nobody's fault.
          if (isStop(missed.reaches)) driver.withdraw(missed.exchange);
          break;
        }
  },
});

async function isSeen(driver: Driver, { role, reaches }: Missed, longest: number): Promise<boolean> {
  const step = `${role}-${longest}`;
  driver.says(`runs workflows.${role} again: it was not seen ${reaches}`);
  const started = await driver.start({
    step,
    operation: 'execute',
    id: driver.id(driver.facts.workflows[role]),
    body: marked(driver, step),
  });
  const executionId = acceptedExecutionId(started);
  const isThere = (seen: string) => seen === reaches;
  const isMet = executionId !== undefined && (await driver.follow(executionId, reaches, isThere, { longest }));
  if (!isMet && isStop(reaches)) driver.withdraw(started);
  return isMet;
}
