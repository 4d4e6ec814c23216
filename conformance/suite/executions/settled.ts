/** What an execution has from its start on, and what happened to it: later readings show it as earlier ones did. */
import { isTerminal } from '../../../generated/lifecycle.js';
import { type Fields, isFields } from '../../engine/outcome/read.js';
import type { Reading } from '../../engine/outcome/readings.js';
import { answeredAt, behindMs, precedes } from '../../engine/outcome/when.js';
import { broken } from '../../engine/rule/findings.js';
import { equal, listOf, sameId } from '../../engine/rule/values.js';
import { shown } from '../../engine/rule/words.js';
import { sameIn } from '../../engine/schemas.js';
import type { Finding } from '../../engine/vocabulary.js';
import { schemas } from '../schemas.js';

const sameFailure = sameIn(schemas.fieldsOf('ScriptFailure'));

/** Something that one reading shows, and later ones have to. */
interface Settled {
  readonly name: string;
  readonly of: (execution: Fields) => unknown;
  readonly same: (was: unknown, now: unknown) => boolean;
}

const within = (fields: Fields, name: string): Fields => (isFields(fields[name]) ? fields[name] : {});
const runner = (execution: Fields) => within(within(execution, 'triggerContext'), 'runner');

/** Which key it names trigger-is-api tells. The name and the rights of who started it may change. */
const settled: readonly Settled[] = [
  { name: 'triggerContext', of: ({ triggerContext }) => triggerContext, same: (_, now) => isFields(now) },
  {
    name: 'triggerContext.runner',
    of: (execution) => within(execution, 'triggerContext').runner,
    same: (_, now) => isFields(now),
  },
  { name: 'triggerContext.runner.userId', of: (execution) => runner(execution).userId, same: sameId },
  {
    name: 'sharedStorageKey',
    of: (execution) => within(execution, 'executionOptions').sharedStorageKey,
    same: equal,
  },
];

/** The first thing that was shown, and is gone or another one later. What a key may not see is not gone. */
export function unsettled(all: readonly Reading[]): Finding | undefined {
  const keys = [...new Set(all.map(({ exchange }) => exchange.mark?.credential))];
  for (const key of keys) {
    const seen = all.filter(({ exchange }) => exchange.mark?.credential === key);
    const last = seen.at(-1);
    for (const { name, of, same } of settled) {
      const first = seen.find(({ execution }) => (of(execution) ?? undefined) !== undefined);
      const was = first && of(first.execution);
      const later = first ? seen.filter(({ exchange }) => precedes(first.exchange, exchange)) : [];
      const changed = later.find(
        (one) => !same(was, of(one.execution)) && (isPast(first, one) || !same(was, of(last?.execution ?? {}))),
      );
      if (first && changed)
        return broken(
          [changed.exchange, first.exchange],
          `${name} ${shown(was)}, as before`,
          shown(of(changed.execution)),
        );
    }
  }
  return undefined;
}

/** A replica may be behind for a moment. */
const isPast = (first: Reading | undefined, later: Reading): boolean =>
  first !== undefined && later.exchange.at - answeredAt(first.exchange) >= behindMs;

const failuresOf = ({ execution }: Reading) => listOf(execution.scriptFailures);

/** A reading after the end that lacks script failures which an earlier one showed: while it runs the oldest may make room. */
export function failuresGone(all: readonly Reading[]): Finding | undefined {
  const ended = all.filter(({ status }) => isTerminal(status));
  const last = ended.at(-1);
  const most = Math.max(0, ...all.map((one) => failuresOf(one).length));
  const witnesses = [
    ended.find((one) => failuresOf(one).length > 0),
    all.find((one) => failuresOf(one).length === most),
  ].flatMap((one) => (one && failuresOf(one).length > 0 ? one : []));
  for (const witness of witnesses) {
    const lacks = (one: Reading) =>
      isTerminal(witness.status) ? lost(failuresOf(witness), failuresOf(one)) : failuresOf(one).length < most;
    const gone = ended.find(
      (one) =>
        precedes(witness.exchange, one.exchange) && lacks(one) && (isPast(witness, one) || (last && lacks(last))),
    );
    if (gone)
      return broken(
        [gone.exchange, witness.exchange],
        `scriptFailures as before, ${failuresOf(witness).length} of them at least`,
        `${failuresOf(gone).length} of them, or others`,
      );
  }
  return undefined;
}

/** Whether one of them is not among those that are shown later; each counts once. */
function lost(were: readonly Fields[], are: readonly Fields[]): boolean {
  const left = [...are];
  return were.some((one) => {
    const place = left.findIndex((other) => sameFailure(one, other));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
