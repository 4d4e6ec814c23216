import { plural } from '../conformance/engine/report/digest.js';
import { faults, faultTopics } from '../deviations/index.js';
import { rules } from '../generated/rules.js';
import { killsOf, type Trial, type Variation } from './matrix.js';
import type { Proof } from './prove.js';

const topics = Object.entries(faultTopics).map(([name, faults]) => ({
  name,
  ids: new Set(faults.map(({ id }) => id)),
}));

/** The kill matrix: for each rule and each topic of faults, how many of them break the rule. */
export function matrixText({ trials }: Proof): string {
  const legend = topics.map(({ name, ids }, index) => `${letter(index)} ${name} (${ids.size})`);
  const head = ['Faults that break it', 'all', ...topics.map((_, index) => letter(index))];
  const rows = [...killsOf(rules, trials)].map(([rule, by]) => {
    const counts = topics.map(({ ids }) => by.filter((id) => ids.has(id)).length);
    return [rule, ...[by.length, ...counts].map((count) => (count === 0 ? '·' : `${count}`))];
  });
  return [...columns(legend, 3), '', ...aligned([head, ...rows])].join('\n');
}

/** What was found in each service, a line for each. */
export const foundLines = ({ trials, variations }: Proof): string =>
  [...variations.map(variationLine), ...trials.map(faultLine)].join('\n');

const ofVerdict = ({ rules }: Trial['outcome'], wanted: string): string =>
  rules.flatMap(({ id, verdict }) => (verdict === wanted ? [id] : [])).join(', ');

const faultLine = ({ id, says, outcome }: Trial): string =>
  `${id} breaks ${ofVerdict(outcome, 'violated') || 'nothing'}: ${says}`;

function variationLine({ id, says, outcome }: Variation): string {
  const verdicts = ['violated', 'untested', 'inconclusive'].flatMap((verdict) => {
    const ids = ofVerdict(outcome, verdict);
    return ids === '' ? [] : [`${verdict} ${ids}`];
  });
  return `${id} leaves ${verdicts.join(', ') || 'all rules passed'}${says === undefined ? '' : `: ${says}`}`;
}

/** How the proof stands beside the frozen faults, and what could not be decided. */
export function standing({ variations, asFrozen, inconclusive }: Proof): string {
  const { retired, differences } = asFrozen;
  const { surroundings, faults } = inconclusive;
  return [
    `${frozenCount(asFrozen)} as frozen${retired.length > 0 ? `, ${retired.length} retired` : ''}.`,
    ...[...retired, ...differences].map((line) => `  ${line}`),
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
| rules, each broken by a fault and held by a service that conforms | ${rules.length} |
| faults, each found | ${trials.length} |
| of the frozen faults, found as frozen | ${frozenCount(asFrozen)} |
| frozen faults that need what was retired | ${asFrozen.retired.length} |
| faults that are inconclusive instead of violated | ${inconclusive.faults.length} |
| variants, none of them with a violation | ${variations.length} |
| surroundings among these | ${surroundingCount(variations, inconclusive)} |
`;

const letter = (index: number): string => String.fromCharCode(97 + index);

/** Aligns rows: each column is as wide as needed, the first one left-aligned. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row.map((cell, place) => (place === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[place] ?? 0))).join(' '),
  );
}

/** Arranges texts in columns, to be read downwards. */
function columns(texts: readonly string[], count: number): string[] {
  const height = Math.ceil(texts.length / count);
  const width = Math.max(...texts.map(({ length }) => length)) + 3;
  return Array.from({ length: height }, (_, line) =>
    texts
      .filter((_, index) => index % height === line)
      .map((text) => text.padEnd(width))
      .join('')
      .trimEnd(),
  );
}
