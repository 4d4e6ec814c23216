// What requests cost that nobody wrote: the time of a check that explores, and the memory, from a thousand requests to
// sixteen thousand. The reference service and each check have a process of their own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { check } from '../conformance/check.js';
import { type TargetFile, toTarget } from '../conformance/settings/target/target.js';
import { startReference } from '../reference/index.js';
import { mustRunNode, ratios, type Scale, type Section, show, spread } from './measure.js';

const explored = [1000, 4000, 16_000];
/** The command with a thousand requests. */
const mostSeconds = 20;
/** What a check without exploring takes may be added to that of one with. */
const mostMb = 150;
/** A request may cost so many times more among sixteen thousand than among four. */
const linear = 1.25;

interface Explored {
  readonly ms: number;
  readonly requests: number;
  /** What the process held at most, and what of it was in use after memory was cleared. */
  readonly peakMb: number;
  readonly liveMb: number;
}

/** Checks the service that it is told of. */
async function explore(target: TargetFile, requests: number): Promise<Explored> {
  let live = 0;
  const observer = new PerformanceObserver((list) => {
    const isMajor = list.getEntries().some((entry) => {
      const { kind } = (entry as { readonly detail?: { readonly kind?: number } }).detail ?? {};
      return kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    });
    if (isMajor) live = Math.max(live, process.memoryUsage().heapUsed);
  });
  observer.observe({ entryTypes: ['gc'] });
  const begun = performance.now();
  const run = await check({ target: toTarget(target), ...(requests > 0 && { explore: { requests, seed: 1 } }) });
  const ms = performance.now() - begun;
  const peakMb = process.resourceUsage().maxRSS / 1024;
  return { ms, requests: run.requests, peakMb, liveMb: live / 2 ** 20 };
}

export async function bench({ quick }: Scale): Promise<Section> {
  const rounds = quick ? 1 : 3;
  const service = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: ['--import', 'tsx'] });
  try {
    const [target] = (await once(service, 'message')) as [TargetFile];
    const sizes = quick ? [0, 20] : [0, ...explored];
    const runs = new Map<number, Explored[]>(sizes.map((size) => [size, []]));
    const commands: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const size of sizes) runs.get(size)?.push(await inProcess(target, size));
      commands.push((await mustRunNode(commandWith(sizes[1] ?? 0))).ms / 1000);
    }
    const of = (size: number, key: keyof Explored) => (runs.get(size) ?? []).map((one) => one[key]);
    const beyond = (size: number, key: keyof Explored) =>
      of(size, key).map((it, round) => it - (of(0, key)[round] ?? 0));
    const each = (size: number) => beyond(size, 'ms').map((ms) => ms / size);
    const [few = 0, some = few, many = some] = sizes.slice(1);
    const growth = ratios(each(many), each(some));
    const more = spread(beyond(many, 'peakMb'));
    const command = spread(commands);
    return {
      title: 'Exploring',
      how:
        `The reference service in a process of its own, checked with everything allowed and so many requests explored, ${rounds} ` +
        'times, each in a process of its own. What a request costs is beyond the check without any. The peak is the resident ' +
        'memory of the process, what is in use is what is left of the heap when V8 has cleared it.',
      columns: ['explored', 'requests', 'seconds', 'ms for each explored', 'peak, MB', 'in use, MB'],
      rows: sizes.map((size) => [
        size.toLocaleString('en'),
        show(spread(of(size, 'requests')), 0),
        show(spread(of(size, 'ms').map((ms) => ms / 1000)), 1),
        size > 0 ? show(spread(each(size))) : '',
        show(spread(of(size, 'peakMb')), 0),
        show(spread(of(size, 'liveMb')), 0),
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
  }
}

const commandWith = (requests: number) => [
  ...['--import', 'tsx', 'cli/main.ts', 'check', '--quiet'],
  ...['--explore', `${requests}`, '--seed', '1'],
];

async function inProcess(target: TargetFile, requests: number): Promise<Explored> {
  const child = fork(fileURLToPath(import.meta.url), ['check'], { execArgv: ['--import', 'tsx'] });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`Exploring ${requests} requests ended with ${code}.`);
  });
  failed.catch(() => {});
  child.send([target, requests]);
  const [measured] = (await Promise.race([once(child, 'message'), failed])) as [Explored];
  return measured;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'serve') process.send?.((await startReference({ report: () => {} })).target);
  else
    process.once('message', async ([target, requests]: [TargetFile, number]) => {
      process.send?.(await explore(target, requests));
      process.disconnect();
    });
}
