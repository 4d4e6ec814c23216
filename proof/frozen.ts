/** What faults were found to break when the criterion of the proof was set: declaring less later wins nothing. */

import frozenSets from './frozen.json' with { type: 'json' };
import type { Trial } from './matrix.js';

/** Frozen faults that need a retired feature, with the decision that retired it: at most 15. */
const retired: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'copies-get-a-managed-proxy',
    'copies-have-no-proxy-mode',
    'deleting-a-pool-deletes-its-profiles',
    'proxy-types-beside-basic',
    'updates-reach-another-profile',
  ].map((id) => [id, '0149: a run reads no profile that it did not make.']),
);
const maxRetired = 15;
/** The part of the frozen faults that must be found as frozen. */
const minAsFrozen = 0.975;

/** The rules that each frozen fault broke; frozen.json groups the faults by them. */
const frozen: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(frozenSets).flatMap(([rules, ids]) => ids.split(' ').map((id) => [id, rules.split(' ')] as const)),
);
/** A rule that is newer may be broken as well. */
const frozenRules = new Set([...frozen.values()].flat());

export interface AsFrozen {
  readonly found: number;
  /** How many frozen faults were looked for. */
  readonly of: number;
  /** The retired faults among those that were looked for, with the decision. */
  readonly retired: readonly string[];
  /** A sentence for each fault that breaks other rules than when it was frozen. */
  readonly differences: readonly string[];
  readonly problems: readonly string[];
}

/** Compares the faults that were tried with the frozen ones. If the whole catalogue was tried, none may be missing. */
export function compareWithFrozen(
  trials: readonly Trial[],
  isWhole: boolean,
  { faults = frozen, leftOut = retired } = {},
): AsFrozen {
  const tried = new Map(trials.map(({ id, outcome }) => [id, outcome]));
  const wanted = [...faults].filter(([id]) => isWhole || tried.has(id));
  const differences = wanted.flatMap(([id, rules]) => {
    if (id in leftOut) return [];
    const found = tried.get(id)?.rules.filter((rule) => rule.verdict === 'violated' && frozenRules.has(rule.id)) ?? [];
    const now = found.map((rule) => rule.id).sort();
    return now.join() === [...rules].sort().join()
      ? []
      : [`${id} broke ${rules.join(', ')} when it was frozen, and breaks ${now.join(', ') || 'nothing'} now.`];
  });
  const gone = wanted.flatMap(([id]) => (id in leftOut ? [`${id}: ${leftOut[id]}`] : []));
  const of = wanted.length - gone.length;
  const most = Math.floor((1 - minAsFrozen) * faults.size);
  const problems = [
    ...(differences.length > most
      ? [`${differences.length} faults are not found as frozen: at most ${most} may be.`]
      : []),
    ...(Object.keys(leftOut).length > maxRetired ? [`More than ${maxRetired} frozen faults are retired.`] : []),
  ];
  return { found: of - differences.length, of, retired: gone, differences, problems };
}
