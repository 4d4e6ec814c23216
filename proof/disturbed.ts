/** Measures what the suite finds of faulty services that something around them disturbs as well. */
import type { Verdict } from '../conformance/engine/vocabulary/report.js';
import { type faults, findFault } from '../deviations/index.js';
import { type RuleId, rules } from '../generated/rules.js';
import { type Case, idOf } from './cases.js';
import type { Result } from './pool.js';

/** The surroundings that the faults are tried in; first in none. */
const disturbances = [undefined, 'page-of-maintenance', 'no-route-at-times', 'limited-pace-unsaid', 'restarts'];

const verdicts = ['violated', 'inconclusive', 'passed', 'untested'] as const satisfies Verdict[];

const usual = 25;

/** Of the faults in each part of the interface, by the rule that they name first, every nth from the first on. */
export function sampleOf(all: typeof faults, nth = usual): readonly string[] {
  const counts = new Map<string, number>();
  return all.flatMap(({ id, breaks: [first] }) => {
    const part = rules.find((rule) => rule.id === first)?.source ?? '';
    const count = counts.get(part) ?? 0;
    counts.set(part, count + 1);
    return count % nth === 0 ? [id] : [];
  });
}

/** What became of the rules that the faults declare, in one of the surroundings. */
export interface Row {
  readonly behind: string;
  readonly faults: number;
  readonly count: Readonly<Record<(typeof verdicts)[number], number>>;
  /** Rules that no fault declares and the suite calls violated. */
  readonly blamed: readonly string[];
  /** Declared rules that were not found violated, with the reason. */
  readonly missed: readonly string[];
}

/** The cases of the faults: each in each of the surroundings, with so many seeds. */
export const disturbedCases = (ids: readonly string[], seeds: number): Case[] =>
  disturbances.flatMap((behind) =>
    Array.from({ length: seeds }, (_, seed) => seed + 1).flatMap((seed) =>
      ids.map((fault): Case => ({ fault, seed, ...(behind !== undefined && { behind }) })),
    ),
  );

export function rowsOf(results: readonly Result[]): Row[] {
  return disturbances.map((behind) => {
    const those = results.filter(({ of }) => of.behind === behind);
    const declared = those.flatMap((one) => rulesOf(one).filter(({ isDeclared }) => isDeclared));
    return {
      behind: behind ?? 'nothing',
      faults: those.length,
      count: Object.fromEntries(
        verdicts.map((wanted) => [wanted, declared.filter(({ verdict }) => verdict === wanted).length]),
      ) as Row['count'],
      blamed: those.flatMap((one) => [
        ...rulesOf(one).flatMap((rule) => (rule.verdict === 'violated' && !rule.isPossible ? [rule.says] : [])),
        ...(one.outcome.unusable === undefined ? [] : [`${idOf(one.of)} is unusable: ${one.outcome.unusable}`]),
      ]),
      missed: declared.flatMap(({ verdict, says }) => (verdict === 'violated' ? [] : [says])),
    };
  });
}

const rulesOf = ({ of, outcome }: Result) => {
  const { breaks, mayBreak = [] } = findFault(idOf(of));
  const declared: readonly RuleId[] = breaks;
  return outcome.rules.map(({ id, verdict, why }) => ({
    verdict,
    isDeclared: declared.includes(id),
    isPossible: declared.includes(id) || (of.behind !== undefined && mayBreak.includes(id)),
    says: `${idOf(of)}, seed ${of.seed ?? 1}: ${id} ${verdict}${why === '' ? '' : `: ${why}`}`,
  }));
};

/** The section of docs/figures.md. */
export const disturbedFigures = (rows: readonly Row[]): string => `## Faults behind a disturbance

Every ${usual}th fault of each part of the interface. The rules that they declare:

| around the service | runs | ${verdicts.join(' | ')} | violated, and not declared |
|---|---:|${verdicts.map(() => '---:|').join('')}---:|
${rows.map(({ behind, faults, count, blamed }) => `| ${[behind, faults, ...verdicts.map((one) => count[one]), blamed.length].join(' | ')} |\n`).join('')}`;
