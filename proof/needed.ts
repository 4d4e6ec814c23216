/**
 * Which faults are needed: without one of them, some step, check or branch of a check could be deleted unnoticed. Which
 * variants are needed: without one of them, a condition that prevents a false alarm could be deleted unnoticed. What a
 * pattern matches, how texts are compared and what is sent are no conditions: a variant may be needed for these alone.
 */

import { rules as register } from '../generated/rules.js';
import { type Case, cases, idOf } from './cases.js';
import { type Trial, variationProblems } from './matrix.js';
import type { Result } from './pool.js';
import { variationOf } from './prove.js';

/** Removing this many faults, or more, must not hide the deletion of a check. */
const leastByCheck = 2;
/** The orders in which faults are tried: what any of them keeps is needed. */
const orders = 5;
/** A result that more variants give to a condition needs none of them. */
const few = 3;

/** The parts of the suite whose deletion this fault shows: `check RULE`, `branch RULE: EXPECTED`, `step SCENARIO/STEP`. */
function partsOf({ outcome }: Trial): string[] {
  return outcome.rules.flatMap(({ id, verdict, ways = [] }) => {
    if (verdict !== 'violated') return [];
    const expected = new Set(ways.map((way) => way.expected));
    const steps = new Set(ways.map(({ step }) => step));
    return [
      `check ${id}`,
      ...(expected.size === 1 ? [`branch ${id}: ${[...expected][0]}`] : []),
      ...(steps.size === 1 ? [`step ${[...steps][0]}`] : []),
    ];
  });
}

/** The parts that each fault shows, by its id. */
export const shownBy = (trials: readonly Trial[]): ReadonlyMap<string, readonly string[]> =>
  new Map(trials.map((trial) => [trial.id, [...new Set(partsOf(trial))]]));

/** The faults that are needed to show all parts that the whole catalogue shows. The same in every call. */
export function neededOf(shown: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const all = [...shown.keys()];
  const kept = new Set<string>();
  for (let order = 0; order < orders; order += 1)
    for (const id of withoutNeedless(shuffled(all, order), shown)) kept.add(id);
  return kept;
}

/** Leaves out one fault after the other, where all that it shows is shown by enough others. */
function withoutNeedless(ids: readonly string[], shown: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const part of [...shown.values()].flat()) counts.set(part, (counts.get(part) ?? 0) + 1);
  const left = new Set(ids);
  for (const id of ids) {
    const parts = shown.get(id) ?? [];
    const least = (part: string) => (part.startsWith('check ') ? leastByCheck : 1);
    if (!parts.every((part) => (counts.get(part) ?? 0) > least(part))) continue;
    left.delete(id);
    for (const part of parts) counts.set(part, (counts.get(part) ?? 0) - 1);
  }
  return left;
}

/** The same order for the same number: sorted by a hash of number and id. */
const shuffled = (ids: readonly string[], order: number): string[] =>
  ids
    .map((id) => ({ id, key: hash(`${order} ${id}`) }))
    .sort((a, b) => a.key - b.key)
    .map(({ id }) => id);

function hash(text: string): number {
  let value = 2_166_136_261;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return value;
}

/**
 * The variants that are needed, with the rules whose verdicts they keep right. `run` notes conditions. Each result of a
 * condition that the usual service does not lead to is shown by two variants at least; if few lead to it, they must notice
 * its absence.
 */
export async function neededVariants(
  run: (cases: readonly Case[]) => Promise<Result[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const results = await run(cases.filter((of) => !('fault' in of)));
  const verdicts = new Map(
    results.map(({ of, outcome }) => [idOf(of), new Map(outcome.rules.map(({ id, verdict }) => [id, verdict]))]),
  );
  const usual = new Set(results.find(({ of }) => idOf(of) === 'default')?.outcome.conditions);
  const leading = new Map<string, Case[]>();
  for (const { of, outcome } of results)
    for (const result of outcome.conditions ?? [])
      if (!usual.has(result)) leading.set(result, [...(leading.get(result) ?? []), of]);
  const kept = new Map<string, Set<string>>();
  const shown = new Map(
    results.map(({ of, outcome }) => {
      const { warns = [], untested = [] } = variationOf(of, outcome);
      // A choice of a gap stays.
      return [idOf(of), 'variation' in of ? [...warns, ...untested] : [`choice ${idOf(of)}`]];
    }),
  );
  for (const [result, all] of leading)
    if (all.length > few) for (const of of all) shown.get(idOf(of))?.push(`check ${result}`);
  const without = [...leading].flatMap(([result, all]) =>
    all.length > few ? [] : all.map((of) => ({ ...of, without: result })),
  );
  for (const { of, outcome } of await run(without)) {
    // Without a rule, the suite itself failed.
    if (outcome.rules.length === 0 || variationProblems(register, [variationOf(of, outcome)]).length === 0) continue;
    const id = idOf(of);
    shown.get(id)?.push(`condition ${of.without}`);
    const wrong = outcome.rules.filter((rule) => verdicts.get(id)?.get(rule.id) !== rule.verdict);
    kept.set(id, new Set([...(kept.get(id) ?? []), ...wrong.map((rule) => rule.id)]));
  }
  return new Map([...neededOf(shown)].map((id) => [id, [...(kept.get(id) ?? [])]]));
}
