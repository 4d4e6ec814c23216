import { plural } from '../conformance/engine/report/digest.js';
import { faults, variations as ownVariants } from '../deviations/index.js';
import { rules } from '../generated/rules.js';
import { killsOf, type Trial, type Variation } from './matrix.js';
import { neededOf, shownBy } from './needed.js';
import type { Proof } from './prove.js';

/**
 * The price of each rule: its faults, those that are needed, the variants that declare it, those that are needed if
 * `byVariants` is known, by the rules that they are needed for, and the lines of its check.
 */
export function priceText(
  { trials, variations }: Proof,
  lines: ReadonlyMap<string, number>,
  byVariants?: ReadonlyMap<string, readonly string[]>,
): string {
  const needed = neededOf(shownBy(trials));
  const declared = variations.flatMap(({ warns = [], untested = [] }) => [...warns, ...untested]);
  const neededFor = [...(byVariants?.values() ?? [])].flat();
  const head = ['rule', 'faults', 'needed', 'variants', ...(byVariants ? ['needed'] : []), 'lines'];
  const rows = [...killsOf(rules, trials)].map(([rule, by]) => {
    const ofRule = (all: readonly string[]) => all.filter((id) => id === rule).length;
    const counts = [by.length, by.filter((id) => needed.has(id)).length, ofRule(declared)];
    return [rule, ...[...counts, ...(byVariants ? [ofRule(neededFor)] : []), lines.get(rule) ?? 0].map(String)];
  });
  const listed = (all: readonly { readonly id: string }[], those: { has(id: string): boolean }, what: string) => [
    `${all.filter(({ id }) => those.has(id)).length} of ${plural(all.length, what)} are needed. Not needed:`,
    all.flatMap(({ id }) => (those.has(id) ? [] : id)).join(' '),
  ];
  return [
    ...aligned([head, ...rows]),
    '',
    ...listed(trials, needed, 'fault'),
    ...(byVariants ? listed(ownVariants, byVariants, 'variant') : []),
  ].join('\n');
}

/** What was found in each service, a line for each. */
export const foundLines = ({ trials, variations }: Proof): string =>
  [...variations.map(variationLine), ...trials.map(faultLine)].join('\n');

const ofVerdict = ({ rules }: Trial['outcome'], wanted: string): string =>
  rules.flatMap(({ id, verdict }) => (verdict === wanted ? [id] : [])).join(', ');

const faultLine = ({ id, outcome }: Trial): string => `${id} violates ${ofVerdict(outcome, 'violated') || 'nothing'}`;

function variationLine({ id, outcome }: Variation): string {
  const verdicts = ['violated', 'untested', 'inconclusive'].flatMap((verdict) => {
    const ids = ofVerdict(outcome, verdict);
    return ids === '' ? [] : [`${verdict} ${ids}`];
  });
  return `${id} leaves ${verdicts.join(', ') || 'all rules passed'}`;
}

/** How the proof stands beside the frozen faults, and what could not be decided. */
export function standing({ variations, asFrozen, inconclusive }: Proof): string {
  const { surroundings, faults } = inconclusive;
  return [
    `${frozenCount(asFrozen)} as frozen.`,
    ...asFrozen.differences.map((line) => `  ${line}`),
    `${surroundingCount(variations, inconclusive)}.`,
    ...surroundings.flatMap(({ id, rules }) => rules.map((rule) => `  ${id}: ${rule.id}: ${rule.why}`)),
    `${plural(faults.length, 'fault')} inconclusive instead of violated.`,
    ...faults.map((id) => `  ${id}`),
  ].join('\n');
}

const frozenCount = ({ found, of }: Proof['asFrozen']): string => `${found} of ${plural(of, 'fault')}`;

const surroundingCount = (variations: Proof['variations'], { surroundings, ruleCount }: Proof['inconclusive']) =>
  `${surroundings.length} of ${plural(variations.filter(({ disturbed }) => disturbed).length, 'surrounding')} with an inconclusive rule, ${plural(ruleCount, 'rule')} in all`;

/** A summary of what the suite was tried on. Only the whole proof says something about every rule. */
export function summary({ trials, variations, problems }: Proof): string {
  const tried = `${plural(trials.length, 'fault')}, ${plural(variations.length, 'variant')}`;
  if (problems.length > 0) return `${tried}: ${plural(problems.length, 'problem')}.`;
  return trials.length === faults.length
    ? `${tried}: each of the ${rules.length} rules can fail and can hold.`
    : `${tried}: as declared.`;
}

/** The section of docs/figures.md. Only a proof without problems has figures. */
export const figures = ({ trials, variations, asFrozen, inconclusive }: Proof): string => `## The proof

| what | how many |
|---|---|
| rules, each violated by a fault and held by a service that conforms | ${rules.length} |
| faults, each found | ${trials.length} |
| of the frozen faults, found as frozen | ${frozenCount(asFrozen)} |
| faults that are inconclusive instead of violated | ${inconclusive.faults.length} |
| variants, none of them with a violation | ${variations.length} |
| surroundings among these | ${surroundingCount(variations, inconclusive)} |
`;

/** Aligns rows: each column is as wide as needed, the first one left-aligned. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row.map((cell, place) => (place === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[place] ?? 0))).join(' '),
  );
}
