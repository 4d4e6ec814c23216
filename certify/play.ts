/** Plays a script to a caller, and judges what the caller sent. */

import '../conformance/suite/contract.js';
import { lineOf, type PassedExchange, startFront } from '../conformance/engine/proxy/passing.js';
import { EntryReader } from '../conformance/engine/recording/entry.js';
import { findings } from '../conformance/engine/rule/verdicts.js';
import type { Evidence, Exchange, Finding, Judge, OneJob } from '../conformance/engine/vocabulary.js';
import { callerJudges } from '../conformance/suite/judges.js';
import { toTarget } from '../conformance/suite/target/target.js';
import { gather } from '../conformance/suite/views.js';
import { type CallerRuleId, callers } from '../generated/rules.js';
import { workflowIds } from '../reference/fixtures.js';
import type { Assignment, Script } from './script.js';
import { setStage } from './stage.js';

/**
 * The caller under test. Its job is over when the promise settles; a rejection is no fault by itself. When the signal aborts,
 * it is to be stopped.
 */
export type Caller = (assignment: Assignment, signal: AbortSignal) => Promise<unknown>;

/** The caller was stopped before it ended by itself: what it would have sent later is unknown. */
export class Stopped extends Error {}

/** What a caller did when one script was played. */
export interface Played {
  readonly script: Script;
  readonly exchanges: readonly Exchange[];
  readonly findings: { readonly [id in CallerRuleId]?: readonly Finding[] };
  /** Why the job failed, if it did. */
  readonly failure?: string;
  /** Whether it was stopped before it ended by itself. */
  readonly isStopped?: true;
}

/** Plays a script to a caller, and judges what it sent. `speed`: how many times faster executions run. */
export async function play(script: Script, caller: Caller, speed = 1): Promise<Played> {
  const stage = await setStage(script, speed);
  const passed: PassedExchange[] = [];
  const front = await startFront({ upstream: stage.url, passed: (one) => passed.push(one) });
  let failure: Error | undefined;
  try {
    const assignment = {
      CERTIFY_SCRIPT: script.id,
      CERTIFY_JOB: script.job,
      CERTIFY_REQUEST: JSON.stringify(script.request ?? {}),
      CERTIFY_EXECUTION_ID: stage.executionId,
      BASE_URL: front.url,
      WORKFLOW_API_KEY: stage.target.apiKeys.primary,
      WORKFLOW_ID: workflowIds[script.workflow],
      PROFILE_ID: stage.target.profile,
      PROFILE_GROUP_ID: stage.target.profileGroup,
      POOL_ID: stage.target.pool,
    };
    await caller(assignment, stage.isEndless);
  } catch (error) {
    // A UserError: the command could not be run at all.
    if (error instanceof Error && 'exitCode' in error) throw error;
    failure = error instanceof Error ? error : new Error(String(error));
  } finally {
    // The caller has ended: cut off requests that are still waiting, and record them as such.
    await front.close(0);
    await stage.close();
  }
  const exchanges = exchangesOf(passed);
  const isStopped = failure instanceof Stopped;
  const oneJob = { executionId: stage.executionId, isOver: !isStopped };
  return {
    script,
    exchanges,
    findings: judged(exchanges, stage.target, oneJob),
    ...(failure && { failure: failure.message }),
    ...(isStopped && { isStopped }),
  };
}

function exchangesOf(passed: readonly PassedExchange[]): Exchange[] {
  const reader = new EntryReader();
  return passed
    .toSorted((a, b) => a.at - b.at)
    .flatMap((one, index) => {
      const entry = reader.read(lineOf(one), index + 1);
      return entry.kind === 'exchange' ? [entry.exchange] : [];
    });
}

function judged(
  exchanges: readonly Exchange[],
  target: Parameters<typeof toTarget>[0],
  oneJob: OneJob,
): Played['findings'] {
  const { facts } = toTarget(target);
  const evidence: Evidence = { ...gather(exchanges), oneJob };
  return Object.fromEntries(
    callers.map(({ id, on }) => {
      const judge: Judge = callerJudges[id];
      const operations: readonly string[] = on;
      const own = exchanges.filter(({ operation }) => operation !== null && operations.includes(operation));
      return [
        id,
        [
          ...own.flatMap((exchange) => judge.exchange?.(exchange, facts) ?? []),
          ...findings({ ...(judge.run && { run: judge.run }) }, evidence, facts),
        ],
      ];
    }),
  );
}
