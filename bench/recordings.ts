// The cost of judging recorded traffic, compared with JSON.parse of the same bytes, and its memory, for ten thousand to
// a million exchanges. Each size is measured in its own process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternating, mustRunNode, ratios, type Section, show, spread } from './measure.js';
import { executions, write } from './traffic.js';

/** Exchanges that each process reads first, so that its start is not measured. */
const warmUp = 5_000;
const limit = 6;

interface Measured {
  readonly exchanges: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
}

/** The sizes of recordings, and how often each is judged. */
const sizes = [
  { exchanges: 10_000, rounds: 5 },
  { exchanges: 100_000, rounds: 3 },
  { exchanges: 1_000_000, rounds: 1 },
];

export async function bench(): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  try {
    await mustRunNode(['scripts/run.js', 'build']);
    const templates = await executions();
    const first = join(folder, 'first.har');
    await write(first, warmUp, templates);
    const rows: string[][] = [];
    let worst = 0;
    for (const { exchanges, rounds } of sizes) {
      const files: string[] = [];
      for (let left = exchanges; left > 0; ) {
        const file = join(folder, `${exchanges}-${files.length}.har`);
        left -= await write(file, left, templates);
        files.push(file);
      }
      const on = (name: string) => () => inProcess(name, [first, ...files]);
      const { judge, parse } = await alternating(rounds, { parse: on('parse'), judge: on('judge') });
      for (const file of files) await rm(file);
      const other = [...parse, ...judge].find((one) => one.exchanges !== exchanges);
      if (other) throw new Error(`${other.exchanges} exchanges were read of ${exchanges}.`);
      const of = (all: readonly Measured[], key: keyof Measured) => all.map((one) => one[key]);
      const each = (all: readonly Measured[]) => show(spread(of(all, 'cpuMs').map((ms) => (ms * 1000) / exchanges)), 1);
      const perSecond = of(judge, 'wallMs').map((ms) => (exchanges / ms) * 1000);
      const ratio = ratios(of(judge, 'cpuMs'), of(parse, 'cpuMs'));
      worst = Math.max(worst, ratio.median);
      rows.push([
        exchanges.toLocaleString('en'),
        each(judge),
        show(spread(perSecond), 0),
        show(ratio),
        show(spread(of(judge, 'peakMb')), 0),
        show(spread(of(parse, 'peakMb')), 0),
      ]);
    }
    return {
      title: 'Judging recorded traffic',
      how:
        'HAR files as a browser writes them, of executions that are polled to their end, twenty at a time. Each number of ' +
        'exchanges in a process of its own, in turns: judged, and read ' +
        `whole with \`JSON.parse\`; each process takes ${warmUp} exchanges first, which are not measured. What judges is that of dist/, as in the package. Times of one exchange ` +
        'are of the processor, those in a second are by the clock.',
      columns: [
        'exchanges',
        'judged, µs each',
        'judged a second',
        'judged / JSON.parse',
        'peak, MB',
        'peak of JSON.parse, MB',
      ],
      rows,
      aims: [{ says: `at most ${limit} times JSON.parse`, was: worst.toFixed(2), met: worst <= limit }],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function inProcess(name: string, files: readonly string[]): Promise<Measured> {
  // Without the loader of this process.
  const child = fork(fileURLToPath(new URL('./recordings.child.mjs', import.meta.url)), { execArgv: [] });
  child.send([name, files]);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} of ${files.at(-1)} ended with ${code}`);
  });
  failed.catch(() => {});
  const [measured] = (await Promise.race([once(child, 'message'), failed])) as [Measured];
  return measured;
}
