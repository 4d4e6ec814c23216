/** What an execution has from its start on, and what happened to it: later readings show it as earlier ones did. */

import { type Fields, isFields } from '../../engine/outcome/read.js';
import type { Reading } from '../../engine/outcome/readings.js';
import { isLongAfter, precedes } from '../../engine/outcome/when.js';
import { broken } from '../../engine/rule/findings.js';
import { equal, sameId } from '../../engine/rule/values.js';
import { shown } from '../../engine/rule/words.js';
import type { Finding } from '../../engine/vocabulary.js';

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
      if (!first) continue;
      const was = of(first.execution);
      const isOther = (one: Reading | undefined) => !same(was, of(one?.execution ?? {}));
      const changed = seen.find(
        (one) =>
          precedes(first.exchange, one.exchange) &&
          isOther(one) &&
          (isLongAfter(one.exchange, first.exchange) || isOther(last)),
      );
      if (changed)
        return broken(
          [changed.exchange, first.exchange],
          `${name} ${shown(was)}, as before`,
          shown(of(changed.execution)),
        );
    }
  }
  return undefined;
}
