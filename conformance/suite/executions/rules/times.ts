/** interface: Execution result, Script failure, Comment, Execution file. The order of the times that are recorded. */

import { type Fields, isFields } from '../../../engine/outcome/read.js';
import { type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, isAfterReplicaLag, precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { instant, timeToleranceMs } from '../../../engine/rule/times.js';
import { has, idKey, jsonText, listOf, sameId } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { filesOf, listing, ownFiles } from '../../files/view.js';

/** How much later one time certainly is than another, in milliseconds; undefined if clocks or notation leave doubt. */
function laterBy(time: unknown, than: unknown): number | undefined {
  const [a, b] = [instant(time), instant(than)];
  if (a === undefined || b === undefined) return undefined;
  const doubt = timeToleranceMs(time, than);
  return a - b > doubt ? a - b - doubt : undefined;
}

interface Dated {
  readonly name: string;
  readonly at: unknown;
}

/** What an execution shows with a time of its own. A rerun may show comments on the execution that it repeats. */
function datedIn({ id, executionResult, scriptFailures, comments }: Fields): Dated[] {
  return [
    ...(isFields(executionResult) ? [{ name: 'executionResult.createdAt', at: executionResult.createdAt }] : []),
    ...listOf(scriptFailures).map(({ occurredAt }) => ({ name: 'scriptFailures.occurredAt', at: occurredAt })),
    ...listOf(comments)
      .filter(({ executionId }) => sameId(executionId, id))
      .flatMap(({ createdAt, updatedAt }) => [
        { name: 'comments.createdAt', at: createdAt },
        { name: 'comments.updatedAt', at: updatedAt },
      ]),
  ].filter(({ at }) => instant(at) !== undefined);
}

/** Fails if something is dated before the execution was created, or later than it was read. */
function recordOf({ start, readings: all }: Trace): Finding | undefined {
  let last: Exchange | undefined;
  for (const { exchange, execution } of readings(all)) {
    const { createdAt } = execution;
    if (instant(createdAt) === undefined || has(execution, 'parentExecutionId')) continue;
    const dated = datedIn(execution);
    if (dated.length > 0) last = exchange;
    const early = dated.find(({ at }) => laterBy(createdAt, at) !== undefined);
    if (early)
      return violated(exchange, `${early.name} not before createdAt, ${jsonText(createdAt)}`, jsonText(early.at));
    // The execution was created after the request, and everything was recorded before it was shown.
    const most = start && answeredAt(exchange) - start.at;
    const late = dated.find(({ at }) => most !== undefined && (laterBy(at, createdAt) ?? 0) > most);
    if (late && start)
      return violated(
        [exchange, start],
        `${late.name} not later than it is shown, created ${jsonText(createdAt)}`,
        jsonText(late.at),
      );
  }
  return last && satisfied(last);
}

/** The times of a listing that can only grow: lastUpdated, and those of each file, by its id. */
function growing(exchange: Exchange): Map<string, Dated> {
  const lastUpdated = { name: 'lastUpdated', at: listing(exchange)?.lastUpdated };
  const files = filesOf(exchange).flatMap((file) =>
    (['createdAt', 'updatedAt'] as const).map(
      (field) =>
        [`${idKey(file)} ${field}`, { name: `${field} of ${jsonText(file.fileName)}`, at: file[field] }] as const,
    ),
  );
  return new Map([['lastUpdated', lastUpdated], ...files]);
}

/** Fails if a listing is older than its execution, is dated in the future, or is older than an earlier one. */
function listingsOf({ start, readings: all, listings }: Trace): Finding | undefined {
  const lists = listings.filter((one) => listing(one) !== undefined);
  const full = lists.filter((one) => ownFiles(one).length > 0);
  const [reading] = readings(all);
  const wrong = reading && (listedBefore(reading, full) ?? (start && listedAhead(reading, start, lists)));
  const last = full.at(-1);
  return wrong ?? grownOlder(lists) ?? (last && satisfied(last));
}

/** Finds a listing with files that was updated last before the execution was created. */
function listedBefore({ exchange, execution: { createdAt } }: Reading, full: readonly Exchange[]): Finding | undefined {
  const early = full.find((one) => laterBy(createdAt, listing(one)?.lastUpdated) !== undefined);
  return (
    early &&
    violated(
      [early, exchange],
      `lastUpdated of its files not before createdAt, ${jsonText(createdAt)}`,
      jsonText(listing(early)?.lastUpdated),
    )
  );
}

/** Finds a time that is later than the answer that lists it. */
function listedAhead({ execution }: Reading, start: Exchange, lists: readonly Exchange[]): Finding | undefined {
  for (const list of lists) {
    const most = answeredAt(list) - start.at;
    const ahead = [...growing(list).values()].find(({ at }) => (laterBy(at, execution.createdAt) ?? 0) > most);
    if (ahead) return violated([list, start], `${ahead.name} not later than it is listed`, jsonText(ahead.at));
  }
  return undefined;
}

/** Finds a time that goes back from one listing to a later one, when replicas can no longer be behind. */
function grownOlder(lists: readonly Exchange[]): Finding | undefined {
  const [first] = lists;
  for (const later of lists) {
    const is = growing(later);
    for (const before of [first, lists.findLast((one) => precedes(one, later))]) {
      if (!before || !isAfterReplicaLag(later, before)) continue;
      for (const [key, { name, at }] of growing(before)) {
        const now = is.get(key)?.at;
        if (laterBy(at, now) !== undefined)
          return violated([later, before], `${name} not before ${jsonText(at)}`, jsonText(now));
      }
    }
  }
  return undefined;
}

export const times = {
  /**
   * Judges an execution with a result, a script failure or a comment, or a listing of files. Passes if each is dated
   * between the creation of the execution and the reading, and no time of a listing goes back; else fails. Not
   * judged if the service has several clocks.
   */
  'times-are-in-order': {
    run: (evidence) =>
      evidence.hasSeveralClocks
        ? undefined
        : evidence.traces.flatMap((trace) => [recordOf(trace), listingsOf(trace)].flatMap((one) => one ?? [])),
  },
} satisfies Judges;
