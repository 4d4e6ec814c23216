import { acceptedExecutionId } from '../../evidence/read.js';
import { isStop } from '../../evidence/runs.js';
import type { Driver, Journey } from '../driver.js';
import type { Missed } from '../session.js';
import { marked } from './requests.js';

/** A stop may last for no longer. */
const longestLookAwayMs = 200;
const attempts = 2;

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
      for (let attempt = 1; attempt <= attempts && driver.executionsLeft > 0; attempt += 1)
        if (await isSeen(driver, missed, attempt)) {
          // What was missed before is nobody's fault.
          if (isStop(missed.reaches)) driver.withdraw(missed.exchange);
          break;
        }
  },
});

async function isSeen(driver: Driver, { role, reaches }: Missed, attempt: number): Promise<boolean> {
  const step = `${role}-${attempt}`;
  driver.says(`runs workflows.${role} again: it was not seen ${reaches}`);
  const started = await driver.start({
    step,
    operation: 'execute',
    id: driver.id(driver.facts.workflows[role]),
    body: marked(driver, step),
  });
  const executionId = acceptedExecutionId(started);
  const isThere = (seen: string) => seen === reaches;
  const isMet =
    executionId !== undefined && (await driver.follow(executionId, reaches, isThere, { longest: longestLookAwayMs }));
  if (!isMet && isStop(reaches)) driver.withdraw(started);
  return isMet;
}
