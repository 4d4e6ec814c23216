import { plural } from '../conformance/engine/report/digest.js';
import { faults, faultTopics } from '../deviations/index.js';
import { rules } from '../generated/rules.js';
import { killsOf } from './matrix.js';
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

/** How the proof stands beside the frozen faults, and what could not be decided. */
export function standing({ variations, asFrozen, inconclusive }: Proof): string {
  const { found, of, retired, differences } = asFrozen;
  const { surroundings, ruleCount, faults } = inconclusive;
  const disturbed = variations.filter((one) => one.disturbed).length;
  return [
    `${found} of ${plural(of, 'fault')} as frozen${retired.length > 0 ? `, ${retired.length} retired` : ''}.`,
    ...[...retired, ...differences].map((line) => `  ${line}`),
    `${surroundings.length} of ${plural(disturbed, 'surrounding')} with an inconclusive rule, ${plural(ruleCount, 'rule')} in all.`,
    ...surroundings.flatMap(({ id, rules }) => rules.map((rule) => `  ${id}: ${rule.id}: ${rule.why}`)),
    `${plural(faults.length, 'fault')} inconclusive instead of violated.`,
    ...faults.map((id) => `  ${id}`),
  ].join('\n');
}

/** A summary of what the suite was tried on. Only the whole proof says something about every rule. */
export function summary({ trials, variations, quick, problems }: Proof): string {
  const seen = quick > 0 ? ` (${quick} in what is sent for their rules alone)` : '';
  const held = [
    `${plural(trials.length, 'fault')}${seen}`,
    plural(variations.length, 'way to conform', 'ways to conform'),
  ];
  if (problems.length > 0) return `${held.join(', ')}: ${plural(problems.length, 'problem')}.`;
  return trials.length === faults.length
    ? `${held.join(', ')}: each of the ${rules.length} rules can fail and can hold.`
    : `${held.join(', ')}: as declared.`;
}

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
