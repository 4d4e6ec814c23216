/** docs/independent.md, of what was measured. */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allExecutions } from '../../proof/cases.js';
import { faults } from './faults/index.js';
import { missed } from './missed.js';
import { everyFault, type Measured, type Word, words } from './outcome.js';

const file = fileURLToPath(new URL('../../docs/independent.md', import.meta.url));

const isTold = ({ word }: Measured): boolean => word === 'fails' || word === 'warns';
const inWayA = (all: readonly Measured[]): readonly Measured[] => all.filter(({ way }) => way === 'a');

/** What is missed in the way a without a reason, and what has one and is told there. */
export function unexplained(all: readonly Measured[]): string[] {
  return inWayA(all).flatMap((one) => {
    const { id } = one;
    if (!isTold(one) && missed[id] === undefined)
      return `${id} is not told: mend the suite, or say why not in missed.ts.`;
    return isTold(one) && missed[id] !== undefined ? `${id} is told: take it out of missed.ts.` : [];
  });
}

export function write(all: readonly Measured[]): void {
  writeFileSync(file, page(all));
}

const page = (all: readonly Measured[]): string => {
  const way = inWayA(all);
  const others = (['b', 'c'] as const).map((name) => [name, all.filter((one) => one.way === name)] as const);
  return `# An independent service

The reference service and the suite have the same authors, and may share a mistake. So the suite is measured against a
second service as well, written from the interface alone before a line of the suite was read (\`test/independent/\`). It fills
what the interface leaves open in four ways, and has ${everyFault.length} faults that contradict it.

\`\`\`text
npx tsx test/independent/measure.ts                   # every fault
npx tsx test/independent/measure.ts start-200         # this one
WAY=b npx tsx test/independent/measure.ts             # the way b
npx tsx test/independent/measure.ts --write           # this page, in some minutes
npx tsx test/independent/serve.ts a start-200         # over HTTP, with a target file
\`\`\`

In each of its four ways no rule is broken, and none is in doubt; the tests hold that, and that a few faults, others each
time, are found.

## What is found

A run that meets a fault fails, where a rule of the level MUST is broken; it warns, where only a SHOULD is; it is incomplete,
where a rule is in doubt; or it passes. This is every fault in the way \`a\`, with a budget of ${allExecutions} executions:

${table(way)}

Of the ${count(way, 'MUST')} faults that contradict what is stated ${count(way, 'MUST', 'fails')} fail a run, of the ${count(way, 'SHOULD')} that contradict what only follows
${told(way.filter(({ level }) => level === 'SHOULD'))} are told.

${others.map(([name, of]) => `Of ${of.length} faults, drawn once, ${told(of)} are told in the way \`${name}\`.`).join(' ')} What those ways
do not show cannot be told there: \`b\` masks credentials, \`c\` shows no environments and leaves out what is optional.

## What is not found, and why

${reasons(way)}

## Each fault

${Object.keys(faults)
  .map((area) =>
    list(
      area,
      way.filter((one) => one.area === area),
    ),
  )
  .join('\n\n')}
`;
};

const count = (of: readonly Measured[], level: string, word?: Word): number =>
  of.filter((one) => one.level === level && (word === undefined || one.word === word)).length;
const told = (of: readonly Measured[]): number => of.filter(isTold).length;

function table(way: readonly Measured[]): string {
  const row = (name: string, of: readonly Measured[]) =>
    `| ${[capital(name), of.length, ...words.map((word) => of.filter((one) => one.word === word).length)].join(' | ')} |`;
  return [
    `| Area | Faults | ${words.map(capital).join(' | ')} |`,
    `| --- | ${['', ...words].map(() => '---:').join(' | ')} |`,
    ...Object.keys(faults).map((area) =>
      row(
        area,
        way.filter((one) => one.area === area),
      ),
    ),
    row('all', way),
  ].join('\n');
}

/** The faults that are not told, by why not. */
function reasons(way: readonly Measured[]): string {
  const by = new Map<string, Measured[]>();
  for (const one of way.filter((each) => !isTold(each))) {
    const why = missed[one.id] ?? 'Not yet known.';
    by.set(why, [...(by.get(why) ?? []), one]);
  }
  return [...by].map(([why, of]) => `- ${why} ${ids(of)}`).join('\n');
}

const list = (area: string, of: readonly Measured[]): string =>
  [
    `**${capital(area)}**`,
    ...words.map((word) => {
      const those = of.filter((one) => one.word === word);
      return those.length === 0 ? '' : `- ${word}: ${ids(those)}`;
    }),
  ]
    .filter((line) => line !== '')
    .join('\n\n')
    .replaceAll('\n\n- ', '\n- ')
    .replace('\n- ', '\n\n- ');

const ids = (of: readonly Measured[]): string =>
  of
    .map(({ id }) => `\`${id}\``)
    .sort()
    .join(' ');
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
