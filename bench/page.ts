/** The page docs/benchmarks.md. */

import type { Section } from './measure.js';

/** The machine on which a section was measured. */
export interface Machine {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** The load average of the minute before the measurement. */
  readonly loadBefore: number;
}

export type Versions = Readonly<Record<string, string>>;

/** A section as Markdown: its table, and which aims are met. */
export function reached({ title, how, columns, rows, aims = [], notes = [] }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = columns.length > 0 ? [line(columns), line(columns.map(() => '---')), ...rows.map(line), ''] : [];
  return [
    `## ${title}`,
    '',
    how,
    '',
    ...table,
    ...aims.map(({ says, was, met }) => `- ${met ? 'Met' : '**Not met**'}: ${says}. It was ${was}.`),
    ...notes.map((note) => `- ${note}`),
  ]
    .join('\n')
    .trimEnd();
}

/** The same, with the date, machine and versions. */
export function measured(section: Section, machine: Machine, versions: Versions): string {
  const { date, processor, cores, memoryGb, system, node, loadBefore } = machine;
  const busy =
    loadBefore > 0.5 * cores
      ? ' The machine was busy with other work: the times are too long and the brackets wide.'
      : '';
  const all = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${reached(section)}

Measured on ${date}: Node ${node} on ${system}, ${cores} cores (${processor}), ${memoryGb} GB of memory, ${loadBefore.toFixed(1)} processes that ran
or waited to run before.${busy} With ${all.join(', ')}.`;
}

/** The page with these sections. Sections of an earlier page with other titles are kept. */
export function markdown(sections: readonly string[], earlier = ''): string {
  const titled = (texts: readonly string[]) =>
    texts.map((text) => [text.slice(0, text.indexOf('\n')), text.trim()] as const);
  const kept = titled(earlier.split(/^(?=## )/m).slice(1));
  return `# Benchmarks

Written by \`npm run bench -- --write\`; with names of benchmarks it writes those anew. Every figure is the median of its
rounds, with the least and the most in brackets. Look at the ratios: both sides of one are measured in turns, so a busy moment
of the machine strikes both. Nothing in the tests asserts any of this.

${[...new Map([...kept, ...titled(sections)]).values()].join('\n\n')}
`;
}
