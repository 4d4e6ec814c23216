/** Measures what the suite finds, and how fairly, if runs take minutes and only a few may be started. */
import type { Verdict } from '../conformance/engine/vocabulary.js';
import { findFault } from '../deviations/index.js';
import { type RuleId, rules } from '../generated/rules.js';
import { type Case, findVariation, idOf, type Tempo } from './cases.js';
import { type Result, runCases } from './pool.js';

/** Runs take two minutes, with five at a time. */
const paid = (executions: number): Tempo => ({ minutes: 2, places: 5, executions });

export const tempos = {
  'two-minutes-17': paid(17),
  'two-minutes-12': paid(12),
} as const satisfies Record<string, Tempo>;

export type TempoName = keyof typeof tempos;

/** The results of all cases at one tempo. */
export interface Figures {
  readonly faults: number;
  /** Faults that were not found although one of their rules was judged. */
  readonly overlooked: readonly string[];
  /** Faults of which no rule was judged, as the report says. */
  readonly unjudged: readonly string[];
  /** Faults for which a MUST was called broken that they do not declare, with these rules. */
  readonly blamed: readonly string[];
  readonly ways: number;
  /** Variations and choices for which a MUST was called broken, with these rules. */
  readonly alarms: readonly string[];
  /** Variations and choices whose run is incomplete, with the inconclusive MUST rules. */
  readonly doubts: readonly string[];
  /** The result for the reference service: rules judged, executions and minutes. */
  readonly judged: number;
  readonly executions: number;
  readonly minutes: number;
}

const musts = new Set<string>(rules.flatMap(({ id, level }) => (level === 'MUST' ? [id] : [])));

export async function proveAt(
  name: TempoName,
  cases: readonly Case[],
  done?: (count: number) => void,
): Promise<Figures> {
  return figuresOf(
    await runCases(
      cases.map((of) => ({ ...of, at: tempos[name] })),
      done,
    ),
  );
}

export function figuresOf(results: readonly Result[]): Figures {
  const faults = results.filter(({ of }) => 'fault' in of);
  const ways = results.filter(({ of }) => !('fault' in of));
  const missed = faults.filter((one) => !verdictsOf(one).includes('violated'));
  const usual = results.find(({ of }) => idOf(of) === 'default')?.outcome;
  return {
    faults: faults.length,
    overlooked: missed.filter((one) => verdictsOf(one).includes('passed')).map(({ of }) => idOf(of)),
    unjudged: missed.filter((one) => !verdictsOf(one).includes('passed')).map(({ of }) => idOf(of)),
    blamed: faults.flatMap(unexpected),
    ways: ways.length,
    alarms: ways.flatMap(unexpected),
    doubts: ways.flatMap((one) => listed(one, mustsOf(one, 'inconclusive'))),
    judged: usual?.rules.filter(({ verdict }) => verdict === 'passed').length ?? 0,
    executions: usual?.executions ?? 0,
    minutes: Math.round(usual?.minutes ?? 0),
  };
}

/** The verdicts on the rules that a case declares. */
const verdictsOf = (one: Result): Verdict[] =>
  one.outcome.rules.flatMap(({ id, verdict }) => (declaredOf(one).includes(id) ? [verdict] : []));

const mustsOf = ({ outcome }: Result, wanted: Verdict): RuleId[] =>
  outcome.rules.flatMap(({ id, verdict }) => (verdict === wanted && musts.has(id) ? [id] : []));

const declaredOf = ({ of }: Result): readonly RuleId[] => {
  if ('fault' in of) return findFault(of.fault).breaks;
  return 'variation' in of ? (findVariation(of.variation).warns ?? []) : [];
};

const unexpected = (one: Result): string[] =>
  listed(
    one,
    mustsOf(one, 'violated').filter((id) => !declaredOf(one).includes(id)),
  );

const listed = ({ of }: Result, found: readonly RuleId[]): string[] =>
  found.length > 0 ? [`${idOf(of)}: ${found.join(', ')}`] : [];
