import type { Facts, Judge, Judgement } from '../vocabulary.js';

/** Judges a rule in several ways: it is kept, or broken, by all that any of them finds. */
export const together = (...ways: readonly Judge[]): Judge => ({
  ...joined(ways, 'exchange'),
  ...joined(ways, 'trace'),
  ...joined(ways, 'profile'),
  ...joined(ways, 'run'),
});

/** Absent where none of them judges this, as a judge has it. */
function joined(ways: readonly Judge[], part: keyof Judge): Judge {
  const own = ways.flatMap((way) => (way[part] as ((of: unknown, facts: Facts) => Judgement) | undefined) ?? []);
  return own.length === 0
    ? {}
    : { [part]: (of: unknown, facts: Facts) => own.flatMap((judge) => judge(of, facts) ?? []) };
}
