/** interface: Execution result, Script failure, Comment, Execution file. The times of what is recorded, beside one another. */
import { type Fields, isFields } from '../../../engine/outcome/read.js';
import { type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, isLongAfter, precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { blur, idKey, instant, listOf, sameId, shows, writtenStep } from '../../../engine/rule/values.js';
import { shown } from '../../../engine/rule/words.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { filesOf, listing, ownFiles } from '../../files/view.js';
import { clocksApart } from '../clocks.js';

/** How much later one time is than another, in milliseconds, as far as clocks and notation leave no doubt; undefined where not. */
function laterBy(time: unknown, than: unknown): number | undefined {
  const [a, b] = [instant(time), instant(than)];
  if (a === undefined || b === undefined) return undefined;
  const doubt = Math.max(blur(a, b), writtenStep(time), writtenStep(than));
  return a - b > doubt ? a - b - doubt : undefined;
}

interface Dated {
  readonly name: string;
  readonly at: unknown;
}

/** What an execution shows with a time of its own. A rerun may show what was said of the execution that it is of. */
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

/** Violated where something is dated before the execution was created, or later than it was read. */
function recordOf({ start, readings: all }: Trace): Finding | undefined {
  let last: Exchange | undefined;
  for (const { exchange, execution } of readings(all)) {
    const { createdAt } = execution;
    if (instant(createdAt) === undefined || shows(execution, 'parentExecutionId')) continue;
    const dated = datedIn(execution);
    if (dated.length > 0) last = exchange;
    const early = dated.find(({ at }) => laterBy(createdAt, at) !== undefined);
    if (early) return violated(exchange, `${early.name} not before createdAt, ${shown(createdAt)}`, shown(early.at));
    // It was created after it was asked for, and recorded before it was shown.
    const most = start && answeredAt(exchange) - start.at;
    const late = dated.find(({ at }) => most !== undefined && (laterBy(at, createdAt) ?? 0) > most);
    if (late && start)
      return violated(
        [exchange, start],
        `${late.name} not later than it is shown, created ${shown(createdAt)}`,
        shown(late.at),
      );
  }
  return last && satisfied(last);
}

/** The times of one listing that can only grow: lastUpdated, and those of each file under its id. */
function growing(exchange: Exchange): Map<string, Dated> {
  const lastUpdated = { name: 'lastUpdated', at: listing(exchange)?.lastUpdated };
  const files = filesOf(exchange).flatMap((file) =>
    (['createdAt', 'updatedAt'] as const).map(
      (field) => [`${idKey(file)} ${field}`, { name: `${field} of ${shown(file.fileName)}`, at: file[field] }] as const,
    ),
  );
  return new Map([['lastUpdated', lastUpdated], ...files]);
}

/** Violated where a listing is older than its execution, where it is ahead of time, or where it grows older. */
function listingsOf({ start, readings: all, listings }: Trace): Finding | undefined {
  const lists = listings.filter((one) => listing(one) !== undefined);
  const full = lists.filter((one) => ownFiles(one).length > 0);
  const [reading] = readings(all);
  const wrong = reading && (listedBefore(reading, full) ?? (start && listedAhead(reading, start, lists)));
  const last = full.at(-1);
  return wrong ?? grownOlder(lists) ?? (last && satisfied(last));
}

/** Files of the execution, which were listed last before it was created. */
function listedBefore({ exchange, execution: { createdAt } }: Reading, full: readonly Exchange[]): Finding | undefined {
  const early = full.find((one) => laterBy(createdAt, listing(one)?.lastUpdated) !== undefined);
  return (
    early &&
    violated(
      [early, exchange],
      `lastUpdated of its files not before createdAt, ${shown(createdAt)}`,
      shown(listing(early)?.lastUpdated),
    )
  );
}

/** A time that is later than the listing, which was answered so long after the execution was asked for. */
function listedAhead({ execution }: Reading, start: Exchange, lists: readonly Exchange[]): Finding | undefined {
  for (const list of lists) {
    const most = answeredAt(list) - start.at;
    const ahead = [...growing(list).values()].find(({ at }) => (laterBy(at, execution.createdAt) ?? 0) > most);
    if (ahead) return violated([list, start], `${ahead.name} not later than it is listed`, shown(ahead.at));
  }
  return undefined;
}

/** A time that goes back from one listing to a later one. A replica may be behind for a moment. */
function grownOlder(lists: readonly Exchange[]): Finding | undefined {
  const [first] = lists;
  for (const later of lists) {
    const is = growing(later);
    for (const before of [first, lists.findLast((one) => precedes(one, later))]) {
      if (!before || !isLongAfter(later, before)) continue;
      for (const [key, { name, at }] of growing(before)) {
        const now = is.get(key)?.at;
        if (laterBy(at, now) !== undefined)
          return violated([later, before], `${name} not before ${shown(at)}`, shown(now));
      }
    }
  }
  return undefined;
}

export const times = {
  /**
   * Seen: an execution with a result, a script failure or a comment, or a listing of files. Satisfied where each is dated between
   * the creation of the execution and the reading, and no time of a listing goes back; violated where one is not, and the
   * service has one clock.
   */
  'times-are-in-order': {
    run: (evidence) =>
      clocksApart(evidence) === undefined
        ? evidence.traces.flatMap((trace) => [recordOf(trace), listingsOf(trace)].flatMap((one) => one ?? []))
        : undefined,
  },
} satisfies Judges;
