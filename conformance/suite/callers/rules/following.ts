/** Judges what callers do after a start: that they follow it, and look it up rather than start again. */

import { isStopped, isTerminal } from '../../../../generated/lifecycle.js';
import type { CallerRuleId } from '../../../../generated/rules.js';
import { accepted, awaits, isStart, isWaitingStart, startedId, status } from '../../../engine/outcome/read.js';
import { answeredStatus, successfulReadings } from '../../../engine/outcome/readings.js';
import { inOrder } from '../../../engine/recording/history.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Judge, OneJob, Trace } from '../../../engine/vocabulary.js';
import { listsFiles, readsExecution, startsAtOnce } from '../../operations.js';
import {
  isAfter,
  isGatewayTimeoutOfSync,
  isLostStart,
  isOneOfMany,
  isSameStart,
  maxAfterEnd,
  showsWhetherItExists,
} from '../lost-starts.js';

export const followingJudges = {
  // interface: Errors rule 6. Judges a gateway timeout, and the next request about that workflow. Passes if it reads
  // an execution that no other answer has named; fails if it is the same start, unless the caller sends equal starts
  // anyway.
  'caller-looks-up-after-gateway-timeout': { run: (evidence) => lookedUp(evidence, isGatewayTimeoutOfSync) },

  // interface: POST execute/sync: not idempotent. The same holds if the answer is lost in another way.
  /**
   * Judges a start whose answer was lost, and the next request. Judged as after a gateway timeout. Satisfied too if a caller
   * with one job ends.
   */
  'caller-does-not-repeat-a-lost-start': { run: (evidence) => lookedUp(evidence, isLostStart, true) },

  // interface: POST execute/sync
  /** Judges a call that was answered 202. Passes if its execution is read, fails if it never is. */
  'caller-follows-202': {
    run: (evidence) => followed(evidence, (start) => isWaitingStart(start) && status(start) === 202),
  },

  // interface: POST execute
  /** Judges a start that was accepted. Passes if its execution is read, fails if it never is. */
  'caller-follows-by-polling': {
    run: (evidence) => followed(evidence, (start) => startsAtOnce(start) && accepted(start)),
  },

  // interface: POST execute
  /**
   * Judges the last reading of an execution by a caller with one job. Passes if it has ended or waits for somebody;
   * fails if it goes on, and the caller ended by itself, or if it had ended long before.
   */
  'caller-polls-to-the-end': {
    run: ({ traces, oneJob }) => (oneJob ? traces.flatMap((trace) => followedToItsEnd(trace, oneJob) ?? []) : []),
  },
} satisfies Partial<Record<CallerRuleId, Judge>>;

/** `mayGiveUp`: a caller that ends without sending anything keeps the rule. */
function lookedUp(
  { exchanges, oneJob }: Evidence,
  isUncertain: (start: Exchange) => boolean,
  mayGiveUp = false,
): Finding[] {
  return exchanges.flatMap((start, place) => {
    if (!isUncertain(start)) return [];
    const repeats = oneJob ? isStartOfSame : isOneOfMany(start, exchanges) ? () => false : isSameStart;
    const looksUp = (one: Exchange, at: number) => isLookUp(one, exchanges.slice(0, at), oneJob);
    const next = exchanges.findIndex(
      (later, at) => at > place && (oneJob || isAfter(start, later)) && (looksUp(later, at) || repeats(start, later)),
    );
    const found = exchanges[next];
    if (!found && oneJob?.isOver && mayGiveUp) return [satisfied(start)];
    if (!found)
      return [inconclusive(start, oneJob ? (oneJob.isOver ? gaveUp : wasStopped('looked the execution up')) : notSeen)];
    const again = isStart(found) ? found : oneJob && startedBeside(found, exchanges.slice(next + 1));
    return [
      again
        ? violated([start, again], 'the execution to be looked up', 'the same start again')
        : satisfied([start, found]),
    ];
  });
}

/** For one job: a start that was sent although the execution was found, and was running or completed when last read. */
function startedBeside(found: Exchange, later: readonly Exchange[]): Exchange | undefined {
  const next = later.findIndex(isStart);
  const answers = [found, ...later.slice(0, next)].filter(
    (one) => sameId(one.resource, found.resource) && showsWhetherItExists(one),
  );
  const last = answers.findLast(readsExecution);
  const shown = last && answeredStatus(last);
  // A list of its files says that it exists, not whether it failed.
  const isThere = last ? shown !== undefined && (!isTerminal(shown) || shown === 'completed') : answers.some(accepted);
  return isThere ? later[next] : undefined;
}

const followed = ({ traces, oneJob }: Evidence, isGoingOn: (start: Exchange) => boolean): Finding[] =>
  traces.flatMap(({ start, readings, waits = [] }) => {
    if (!start || !isGoingOn(start)) return [];
    const [reading] = [...readings, ...waits];
    if (reading) return [satisfied([start, reading])];
    if (oneJob && !oneJob.isOver) return [inconclusive(start, wasStopped('read the execution'))];
    return [violated(start, 'the execution to be read by its id', 'no reading of it')];
  });

const showsEnd = (reading: Exchange): boolean => {
  const shown = answeredStatus(reading);
  return shown !== undefined && isTerminal(shown);
};

const notSeen = 'No later request shows whether the execution was looked up.';

const gaveUp = 'The caller neither looked the execution up nor started it again.';

const wasStopped = (might: string) => `The caller was stopped before it ended: it might have ${might} later.`;

/** Judges whether there was a reason to read again after the last reading. */
function followedToItsEnd({ readings: records, waits = [] }: Trace, { isOver }: OneJob): Finding | undefined {
  const readings = inOrder([...records, ...waits]);
  const last = readings.at(-1);
  if (!last) return;
  const read = successfulReadings(readings).at(-1);
  const known = read && answeredStatus(read.exchange);
  const end = readings.findIndex(showsEnd);
  const more = readings.length - 1 - end;
  if (end >= 0 && more > maxAfterEnd(isOver))
    return violated(last, 'no reading again and again after its end', `${more} more readings`);
  // At a stop it waits for somebody. How long to poll then is up to the caller.
  if (known && (isTerminal(known) || isStopped(known))) return satisfied(last);
  // No need to read again after being told that it is forbidden, or that there is none.
  const code = status(last) ?? 0;
  if (code >= 400 && code < 500 && code !== 408 && code !== 429) return;
  if (!isOver) return inconclusive(last, wasStopped('read the execution'));
  if (known || read?.execution.status === undefined)
    return violated(
      last,
      'to be read again until it has ended',
      known ? `nothing after ${known}` : 'no reading that succeeded',
    );
  return inconclusive(last, 'The last status that was read is not one that the interface lists.');
}

/**
 * Whether a request looks up the execution of a lost start: for one job, the one that its caller was told of, by a
 * reading or its list of files (interface: Errors rule 1); else one that no start was answered with before.
 */
const isLookUp = (one: Exchange, earlier: readonly Exchange[], job?: OneJob): boolean =>
  showsWhetherItExists(one) &&
  (readsExecution(one) || awaits(one) || listsFiles(one)) &&
  (job ? sameId(one.resource, job.executionId) : !earlier.some((start) => sameId(startedId(start), one.resource)));

const isStartOfSame = (first: Exchange, later: Exchange): boolean =>
  isStart(later) && sameId(later.resource, first.resource);
