import { expect, test } from 'vitest';
import { ExecutionTracker } from '../../../../conformance/suite/executions/tracker.js';
import { exchange, facts, ids } from '../../../support/evidence.js';

const { patienceSeconds: _, ...pace } = facts().pace;
const lastsMs = 20_000;
const another = ids.execution.replace(/..$/, '99');

/** What is thought of runs after one of them ended at its time, or was told to before. */
function afterOne(isSteered: boolean): ExecutionTracker {
  const executions = new ExecutionTracker(facts({ pace }));
  const started = (executionId: string, at: number) =>
    executions.noteAnswer(
      exchange({ operation: 'execute', status: 202, body: { executionId, status: 'starting' }, at }),
    );
  started(ids.execution, 0);
  if (isSteered) expect(executions.noteChangeByRequest(ids.execution)).toBe(true);
  executions.noteAnswer(
    exchange({ operation: 'getExecution', status: 200, body: { status: 'cancelled' }, at: lastsMs }),
  );
  started(another, lastsMs);
  return executions;
}

test('an execution that ended by itself predicts the duration of others, one that was cancelled does not', () => {
  expect(afterOne(false).longestMs).toBeGreaterThanOrEqual(lastsMs);
  expect(afterOne(true).longestMs).toBeUndefined();
  expect(afterOne(true).patienceMs(another)).toBeGreaterThan(afterOne(false).patienceMs(another));
});

test('an execution that has ended, or was never started, cannot be cancelled', () => {
  const executions = afterOne(false);
  expect([ids.execution, ids.profile, null].map((id) => executions.noteChangeByRequest(id))).toEqual([
    false,
    false,
    false,
  ]);
  expect(executions.noteChangeByRequest(another)).toBe(true);
});

test('the wait for capacity includes the start and the duration of an execution of unknown length', () => {
  const executions = new ExecutionTracker(facts({ pace }));
  expect(executions.roomPatienceMs).toBe(2 * executions.patienceMs(ids.execution));
});

test('a step that waits for a place reads executions that no step has read for a while', () => {
  const executions = afterOne(false);
  const unseen = (at: number) => [...executions.dueForReading(at)];
  // It was heard of when it was started; what has ended is not looked at.
  expect(unseen(lastsMs + 10)).toEqual([]);
  const soon = lastsMs + 100;
  expect(unseen(soon)).toEqual([another]);
  // That counts, whoever asks.
  expect(unseen(soon + 10)).toEqual([]);
  // The longer it runs, the less often.
  const late = lastsMs + 100_000;
  executions.noteAnswer(
    exchange({ operation: 'getExecution', status: 200, body: { status: 'running' }, resource: another, at: late }),
  );
  expect(unseen(late + 4000)).toEqual([]);
  expect(unseen(late + 6000)).toEqual([another]);
});
