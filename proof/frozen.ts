/** What faults were found to violate when the criterion of the proof was set: declaring less later wins nothing. */

import frozenSets from './frozen.json' with { type: 'json' };
import type { Trial } from './matrix.js';

/** The part of the frozen faults that must be found as frozen. */
const minAsFrozen = 0.975;

/** The rules that each frozen fault violated; frozen.json groups the faults by them. */
const frozen: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(frozenSets).flatMap(([rules, ids]) => ids.split(' ').map((id) => [id, rules.split(' ')] as const)),
);
/** A rule that is newer may be violated as well. */
const frozenRules = new Set([...frozen.values()].flat());

export interface AsFrozen {
  readonly found: number;
  /** How many frozen faults were looked for. */
  readonly of: number;
  /** A sentence for each fault that violates other rules than when it was frozen. */
  readonly differences: readonly string[];
  readonly problems: readonly string[];
}

/** Compares the faults that were tried with the frozen ones. If the whole catalogue was tried, none may be missing. */
export function compareWithFrozen(trials: readonly Trial[], isWhole: boolean, faults = frozen): AsFrozen {
  const tried = new Map(trials.map(({ id, outcome }) => [id, outcome]));
  const wanted = [...faults].filter(([id]) => isWhole || tried.has(id));
  const differences = wanted.flatMap(([id, rules]) => {
    const found = tried.get(id)?.rules.filter((rule) => rule.verdict === 'violated' && frozenRules.has(rule.id)) ?? [];
    const now = found.map((rule) => rule.id).sort();
    return now.join() === [...rules].sort().join()
      ? []
      : [`${id} violated ${rules.join(', ')} when it was frozen, and violates ${now.join(', ') || 'nothing'} now.`];
  });
  const most = Math.floor((1 - minAsFrozen) * faults.size);
  const problems =
    differences.length > most ? [`${differences.length} faults are not found as frozen: at most ${most} may be.`] : [];
  return { found: wanted.length - differences.length, of: wanted.length, differences, problems };
}
