import type { Section } from './measure.js';

export interface Machine {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** Processes that ran or waited to run, over the minute before the first measurement. */
  readonly loadBefore: number;
}

/** One section as Markdown: its table, and which aims are met. */
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

export function markdown(
  sections: readonly Section[],
  { date, processor, cores, memoryGb, system, node, loadBefore }: Machine,
  versions: Readonly<Record<string, string>>,
): string {
  const all = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `# Benchmarks

Written by \`npm run bench -- --write\` on ${date}. Node ${node} on ${system}, ${cores} cores (${processor}), ${memoryGb} GB of memory.
Versions: ${all.join(', ')}.

Every figure is the median of its rounds, with the least and the most in brackets. Look at the ratios: both sides of one are
measured in turns, so a busy moment of the machine strikes both. When the first measurement began, ${loadBefore.toFixed(1)} processes ran
or waited to run, on ${cores} cores${loadBefore > 0.5 * cores ? ': the machine was busy with other work, so the absolute times are too long and the brackets wide' : ''}.
Nothing in the tests asserts any of this.

${sections.map(reached).join('\n\n')}
`;
}
