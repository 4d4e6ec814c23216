import '../conformance/suite/contract.js';
import { startFront } from '../conformance/engine/proxy/front.js';
import { lineOf, type Passed } from '../conformance/engine/proxy/passed.js';
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

/** The caller under test: does its job, and is over when it settles. What it rejects with is its own affair. */
export type Caller = (assignment: Assignment) => Promise<unknown>;

/** A caller that was ended, and did not end by itself: what it would have sent later, nobody knows. */
export class Stopped extends Error {}

/** What a caller did in one situation. */
export interface Played {
  readonly script: Script;
  readonly exchanges: readonly Exchange[];
  readonly findings: { readonly [id in CallerRuleId]?: readonly Finding[] };
  /** Why the job did not come to its end. */
  readonly failure?: string;
  /** It did not end by itself. */
  readonly isStopped?: true;
}

/** Puts a caller into a situation, and judges what it did. Runs go so many times faster. */
export async function play(script: Script, caller: Caller, speed = 1): Promise<Played> {
  const stage = await setStage(script, speed);
  const passed: Passed[] = [];
  const front = await startFront({ upstream: stage.url, passed: (one) => passed.push(one) });
  let failure: Error | undefined;
  try {
    await caller({
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
    });
  } catch (error) {
    // The command itself is at fault, not what it did.
    if (error instanceof Error && 'exitCode' in error) throw error;
    failure = error instanceof Error ? error : new Error(String(error));
  } finally {
    // Whoever is over waits for no answer: what is still under way is cut off, and told.
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

function exchangesOf(passed: readonly Passed[]): Exchange[] {
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
