// The cost of exploration: time and memory of a check with a thousand to sixteen thousand generated requests, to a
// reference service in another process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TargetFile } from '../conformance/suite/target/target.js';
import { startReference } from '../reference/index.js';
import { mustRunNode, ratios, type Scale, type Section, show, spread } from './measure.js';

const explored = [1000, 4000, 16_000];
/** The time limit for a check with a thousand requests. */
const mostSeconds = 20;
/** How much memory exploring may add to a check. */
const mostMb = 150;
/** How many times more a request may cost among sixteen thousand than among four thousand. */
const linear = 1.25;

interface Explored {
  readonly ms: number;
  readonly requests: number;
  /** The peak memory of the process. */
  readonly peakMb: number;
}

export async function bench({ quick }: Scale): Promise<Section> {
  const rounds = quick ? 1 : 3;
  const folder = await mkdtemp(join(tmpdir(), 'bench-explore-'));
  const service = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: ['--import', 'tsx'] });
  try {
    const [target] = (await once(service, 'message')) as [TargetFile];
    const file = join(folder, 'target.yaml');
    await writeFile(file, JSON.stringify(target));
    await mustRunNode(['scripts/run.js', 'build']);
    const sizes = quick ? [0, 20] : [0, ...explored];
    const runs = new Map<number, Explored[]>(sizes.map((size) => [size, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const size of sizes) runs.get(size)?.push(await explore(file, size));
    const of = (size: number, key: keyof Explored) => (runs.get(size) ?? []).map((one) => one[key]);
    const beyond = (size: number, key: keyof Explored) =>
      of(size, key).map((it, round) => it - (of(0, key)[round] ?? 0));
    const each = (size: number) => beyond(size, 'ms').map((ms) => ms / size);
    const [few = 0, some = few, many = some] = sizes.slice(1);
    const growth = ratios(each(many), each(some));
    const more = spread(beyond(many, 'peakMb'));
    const command = spread(of(few, 'ms').map((ms) => ms / 1000));
    return {
      title: 'Exploring',
      how:
        'The command, from dist/ as in the package, checks the reference service in another process: everything allowed, so many ' +
        `requests explored, ${rounds} times. Seconds are from its start to its exit; what a request costs is beyond the check ` +
        'without any. The peak is the resident memory of the process.',
      columns: ['explored', 'requests', 'seconds', 'ms for each explored', 'peak, MB'],
      rows: sizes.map((size) => [
        size.toLocaleString('en'),
        show(spread(of(size, 'requests')), 0),
        show(spread(of(size, 'ms').map((ms) => ms / 1000)), 1),
        size > 0 ? show(spread(each(size))) : '',
        show(spread(of(size, 'peakMb')), 0),
      ]),
      aims: [
        {
          says: `the command with ${few.toLocaleString('en')} explored in less than ${mostSeconds} seconds`,
          was: `${command.median.toFixed(1)} s`,
          met: command.median < mostSeconds,
        },
        {
          says: `linear: one of ${many.toLocaleString('en')} costs at most ${linear} times one of ${some.toLocaleString('en')}`,
          was: growth.median.toFixed(2),
          met: growth.median <= linear,
        },
        {
          says: `${many.toLocaleString('en')} within ${mostMb} MB more than none`,
          was: `${more.median.toFixed(0)} MB`,
          met: more.median <= mostMb,
        },
      ],
    };
  } finally {
    service.kill();
    await rm(folder, { recursive: true });
  }
}

/** Checks the service of a target file with that many generated requests. */
async function explore(target: string, requests: number): Promise<Explored> {
  const { stdout, stderr, ms } = await mustRunNode([
    ...['--import', './bench/memory.mjs', 'dist/cli.js', 'check', '--target', target, '--quiet', '--seed', '1'],
    ...['--report', 'json=-', ...(requests > 0 ? ['--explore', `${requests}`] : [])],
  ]);
  const { peakBytes } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  return { ms, requests: JSON.parse(stdout).requests, peakMb: peakBytes / 2 ** 20 };
}

if (process.argv[2] === 'serve') process.send?.((await startReference({ report: () => {} })).target);
