// How long maintainers wait for their scripts, and users for the command.
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createVitest } from 'vitest/node';
import { type Aim, alternating, mustRunNode, root, type Scale, type Section, show, spread } from './measure.js';

/** The maintainers' scripts, as npm runs them. Some take minutes, so each is measured once. */
const scripts = {
  'npm run generate -- --check': ['scripts/run.js', 'generate', '--check'],
  'npm run typecheck': ['node_modules/typescript/bin/tsc', '-p', '.'],
  'npm run lint': ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  'npm run prove': ['--import', 'tsx', 'proof/main.ts'],
  'npm run test:unit': ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.unit.config.ts'],
  'npm test': ['scripts/run.js', 'test'],
} as const;

/** Command lines, and how many milliseconds each may take in addition to the start of bare Node. */
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
    });
    const taken = await alternating(1, Object.fromEntries(chosen.map(([name, args]) => [name, () => seconds(args)])));
    const answers = await inWatch(rounds);
    const of = (name: string) => spread(measured[name as keyof typeof measured]);
    const aims = starts.map(([args, more]): Aim => {
      const was = Math.round((of(args.join(' ')).median - of('bare').median) * 1000);
      return { says: `${args.join(' ')}: at most ${more} ms more than Node`, was: `${was} ms`, met: was <= more };
    });
    return {
      title: 'Commands, from start to exit',
      how: `Each as a process: the command, from dist/ as in the package, ${rounds} times in turns, and each script once. The watch is told ${rounds} times that a judge changed.`,
      columns: ['', 'seconds'],
      rows: [
        ['node, an empty module', show(of('bare'), 3)],
        ...starts.map(([args]) => [`workflow-contract ${args.join(' ')}`, show(of(args.join(' ')), 3)]),
        ...chosen.map(([name]) => [name, spread(taken[name] ?? []).median.toFixed(1)]),
        ['npm run test:watch, from a change in a judge to its answer', show(spread(answers), 1)],
      ],
      aims: [
        ...aims,
        ...(quick ? [] : [within(120, 'npm test', taken), within(20, 'npm run test:unit', taken)]),
        {
          says: 'npm run test:watch: an answer in at most 2 s',
          was: `${spread(answers).median.toFixed(1)} s`,
          met: spread(answers).median <= 2,
        },
      ],
    };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

function within(limit: number, name: string, taken: Readonly<Record<string, readonly number[]>>): Aim {
  const { median } = spread(taken[name] ?? []);
  return { says: `${name}: at most ${limit} s`, was: `${median.toFixed(1)} s`, met: median <= limit };
}

/** Seconds from a change in a judge to the result of vitest in watch mode. */
async function inWatch(rounds: number): Promise<number[]> {
  const judge = join(root, 'conformance/suite/sync/rules/waits.ts');
  const runs = new EventEmitter();
  const vitest = await createVitest('test', {
    root,
    watch: true,
    config: join(root, 'vitest.unit.config.ts'),
    reporters: [{ onTestRunEnd: () => void runs.emit('end') }],
  });
  try {
    await vitest.start();
    const answers: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Let vitest finish the previous run.
      await setTimeout(2000);
      const now = new Date();
      await utimes(judge, now, now);
      const begun = performance.now();
      await once(runs, 'end');
      answers.push((performance.now() - begun) / 1000);
    }
    return answers;
  } finally {
    await vitest.close();
  }
}
