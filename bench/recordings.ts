// What judging recorded traffic costs beside JSON.parse of the same bytes, and how much memory it takes, from ten thousand
// exchanges to a million: HAR files as a browser writes them, of executions of the reference service that are polled to
// their end, several at a time. Each size is measured in a process of its own.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeRecordings, unknownTarget } from '../conformance/recording/judge-recording.js';
import { fileSource } from '../conformance/recording/source.js';
import { assemble } from '../conformance/report/assemble.js';
import { har } from '../conformance/report/har.js';
import { checkInProcess } from '../proof/in-process.js';
import { alternating, ratios, type Scale, type Section, show, spread } from './measure.js';
import { validateWithPrism } from './prism.js';

/** Of a file: the largest that JSON.parse can be given whole. */
const perFile = 100_000;
/** What each process takes first, so that it is not its start that is measured. */
const warmUp = 5_000;
const sideBySide = 20;
const limit = 4;

interface Measured {
  readonly exchanges: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
}

const work: Record<string, (files: readonly string[]) => Promise<number>> = {
  judge: async (files) => (await judgeRecordings(files.map(fileSource))).requests,
  parse: async (files) =>
    files.reduce((sum, file) => sum + JSON.parse(readFileSync(file, 'utf8')).log.entries.length, 0),
  prism: validateWithPrism,
};

async function measure(name: string, [first = '', ...files]: readonly string[]): Promise<void> {
  await work[name]?.([first]);
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const exchanges = (await work[name]?.(files)) ?? 0;
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.send?.({ exchanges, cpuMs: (user + system) / 1000, wallMs: performance.now() - begun, peakMb });
  process.disconnect();
}

/** How often each number of exchanges is judged. */
const sizes = [
  { exchanges: 10_000, rounds: 5 },
  { exchanges: 100_000, rounds: 3 },
  { exchanges: 1_000_000, rounds: 1 },
];
/** Prism's validation takes too long for more, or for more than once. */
const prismUpTo = 10_000;

export async function bench({ quick }: Scale): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  try {
    const templates = await executions();
    const first = join(folder, 'first.har');
    await write(first, quick ? 100 : warmUp, templates);
    const rows: string[][] = [];
    let worst = 0;
    for (const { exchanges, rounds } of quick ? [{ exchanges: 200, rounds: 1 }] : sizes) {
      const files: string[] = [];
      for (let left = exchanges; left > 0; left -= perFile) {
        files.push(join(folder, `${exchanges}-${files.length}.har`));
        await write(files.at(-1) ?? '', Math.min(left, perFile), templates);
      }
      const on = (name: string) => () => inProcess(name, [first, ...files]);
      const { judge, parse } = await alternating(rounds, { parse: on('parse'), judge: on('judge') });
      const prism = exchanges <= prismUpTo ? [await on('prism')()] : [];
      for (const file of files) await rm(file);
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
        prism.length > 0 ? `${each(prism)} µs, ${show(spread(of(prism, 'peakMb')), 0)} MB` : '',
      ]);
    }
    return {
      title: 'Judging recorded traffic',
      how:
        'HAR files as a browser writes them, of executions that are polled to their end, twenty at a time. Each number of ' +
        `exchanges in a process of its own, in turns: judged, and read whole with \`JSON.parse\`; each process takes ${warmUp} ` +
        'exchanges first, which are not measured. Times are of the processor. ' +
        "Prism reads the same files with `JSON.parse` and holds each request and response against its operation's schemas.",
      columns: [
        'exchanges',
        'judged, µs each',
        'judged a second',
        'judged / JSON.parse',
        'peak, MB',
        'peak of JSON.parse, MB',
        'Prism, each',
      ],
      rows,
      aims: [{ says: `at most ${limit} times JSON.parse`, was: worst.toFixed(2), met: worst <= limit }],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function inProcess(name: string, files: readonly string[]): Promise<Measured> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'] });
  child.send([name, files]);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} of ${files.at(-1)} ended with ${code}`);
  });
  failed.catch(() => {});
  const [measured] = (await Promise.race([once(child, 'message'), failed])) as [Measured];
  return measured;
}

interface Template {
  readonly id: string;
  readonly entries: readonly string[];
}

/** The exchanges of each execution of a run, as entries of a HAR. */
async function executions(): Promise<Template[]> {
  const run = await checkInProcess({});
  const conclusion = { verdict: 'conformant', exitCode: 0, reason: '', rules: run.rules, remarks: [] } as const;
  const all = JSON.parse(har(assemble(run, conclusion, unknownTarget)));
  const entries: Entry[] = all.log.entries;
  return run.evidence.traces.flatMap(({ executionId, start, readings, listings }) => {
    if (!start || readings.length < 3) return [];
    const places = [start, ...readings, ...listings].map(({ id }) => id - 1);
    return [{ id: executionId, entries: places.map((place) => JSON.stringify(asBrowser(entries[place]))) }];
  });
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

const pairs = (headers: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const browserHeaders = pairs({
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-US,en;q=0.9',
  Connection: 'keep-alive',
  Host: 'workflows.example.com',
  Origin: 'https://app.example.com',
  Referer: 'https://app.example.com/runs',
  'Sec-Fetch-Dest': 'empty',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Site': 'same-site',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'sec-ch-ua': '"Not:A-Brand";v="8", "Chromium";v="140"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
});
const serverHeaders = pairs({
  Connection: 'keep-alive',
  Date: 'Fri, 20 Nov 2026 12:15:27 GMT',
  'Keep-Alive': 'timeout=5',
  'access-control-allow-origin': '*',
  'x-request-id': randomUUID(),
});

interface Entry {
  readonly request: { readonly headers: readonly Pair[] };
  readonly response: { readonly headers: readonly Pair[] };
}

function asBrowser(entry: Entry | undefined) {
  const { request, response } = entry ?? { request: { headers: [] }, response: { headers: [] } };
  const own = request.headers.map(({ name, value }) => ({
    name,
    value: /key$/i.test(name) ? 'a-key-of-a-caller' : value,
  }));
  return {
    ...entry,
    startedDateTime: '@time',
    request: { ...request, headers: [...browserHeaders, ...own] },
    response: { ...response, headers: [...serverHeaders, ...response.headers], _transferSize: 967 },
    pageref: 'page@041225dd7759542149236af9f9502a02',
    _frameref: 'frame@c5163d88240c3ee68955b2e1112f4827',
    _resourceType: 'fetch',
    serverIPAddress: '192.0.2.1',
  };
}

/** Writes so many exchanges: of some executions at a time, each at its next one in turn. */
async function write(file: string, count: number, templates: readonly Template[]): Promise<void> {
  const out = createWriteStream(file);
  out.write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[');
  let written = 0;
  for (let next = 0; written < count; next += sideBySide) {
    const group = Array.from({ length: sideBySide }, (_, index) => {
      const { id, entries } = templates[(next + index) % templates.length] as Template;
      const own = randomUUID();
      return entries.map((entry) => entry.replaceAll(id, own));
    });
    for (let turn = 0; group.some((entries) => turn < entries.length); turn += 1)
      for (const entry of group.flatMap((entries) => entries[turn] ?? [])) {
        if (written === count) break;
        const time = new Date(Date.UTC(2026, 10, 20) + written * 7).toISOString();
        const text = entry.replace('@time', time);
        if (!out.write(written === 0 ? text : `,${text}`)) await once(out, 'drain');
        written += 1;
      }
  }
  out.end(']}}');
  await once(out, 'close');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.once('message', ([name, files]: [string, string[]]) => measure(name, files));
