// What those wait for who work on the project, and who call the command.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Aim, alternating, mustRunNode, type Scale, type Section, show, spread } from './measure.js';

/** The maintainers' scripts, each as npm runs it, without npm. */
const scripts = {
  'npm run generate -- --check': ['scripts/run.js', 'generate', '--check'],
  'npm run typecheck': ['node_modules/typescript/bin/tsc', '-p', '.'],
  'npm run lint': ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  'npm run prove': ['--import', 'tsx', 'proof/main.ts'],
  'npm run test:unit': ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit'],
} as const;

/** The command, and how many milliseconds more than bare Node it may take from start to exit. */
const starts = [
  [['--version'], 30],
  [['rules'], 30],
  [['check', 'http://127.0.0.1:9', '--plan'], 120],
] as const;

export async function bench({ quick }: Scale): Promise<Section> {
  const rounds = quick ? 1 : 5;
  const seconds = async (args: readonly string[]) => (await mustRunNode(args)).ms / 1000;
  const chosen = Object.entries(scripts).filter(([name]) => !quick || name === 'npm run lint');
  const scratch = await mkdtemp(join(tmpdir(), 'bench-commands-'));
  const empty = join(scratch, 'empty.mjs');
  try {
    await writeFile(empty, '');
    await mustRunNode(['scripts/run.js', 'build']);
    const measured = await alternating(rounds, {
      bare: () => seconds([empty]),
      ...Object.fromEntries(starts.map(([args]) => [args.join(' '), () => seconds(['dist/cli.js', ...args])])),
      ...Object.fromEntries(chosen.map(([name, args]) => [name, () => seconds(args)])),
    });
    const of = (name: string) => spread(measured[name as keyof typeof measured]);
    const aims = starts.map(([args, more]): Aim => {
      const was = Math.round((of(args.join(' ')).median - of('bare').median) * 1000);
      return { says: `${args.join(' ')}: at most ${more} ms more than Node`, was: `${was} ms`, met: was <= more };
    });
    return {
      title: 'Commands, from start to exit',
      how: `Each as a process, ${rounds} times, in turns. The command is the one of the package, from dist/.`,
      columns: ['', 'seconds'],
      rows: [
        ['node, an empty module', show(of('bare'), 3)],
        ...starts.map(([args]) => [`workflow-contract ${args.join(' ')}`, show(of(args.join(' ')), 3)]),
        ...chosen.map(([name]) => [name, show(of(name), 1)]),
      ],
      aims,
    };
  } finally {
    await rm(scratch, { recursive: true });
  }
}
