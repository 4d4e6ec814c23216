/**
 * Compares the reference service with Prism: requests per second and memory, for the same requests, in one run.
 *
 * Each service runs in its own process; this process sends the load, with a connection pool and the same number of
 * concurrent requests for each. The two alternate, so that other load on the machine affects both. The reference
 * service is bundled first, as in the package.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { Pool } from 'undici';
import { operations } from '../generated/operations.js';
import { fixturesOf, keys } from '../reference/fixtures.js';
import { ratios, root, type Section, show, spread } from './measure.js';

const [turns, turnMs] = [7, 500];
const underWay = 32;
/** Memory is compared after this many requests of each kind: the faster service would otherwise have answered more. */
const same = 1000;
const target = fixturesOf('');

interface Ask {
  readonly operation: keyof typeof operations;
  readonly id: string;
  readonly status: number;
  readonly body?: unknown;
}

const asks: Readonly<Record<string, Ask>> = {
  'read an execution': { operation: 'getExecution', id: target.execution, status: 200 },
  'list its files': { operation: 'listExecutionFiles', id: target.execution, status: 200 },
  'start an execution': {
    operation: 'execute',
    id: target.workflows.completes,
    status: 202,
    body: { inputs: { supplier: 'Nordwind', month: '2026-02' }, metadata: { customer: 'acme' } },
  },
  'update a profile': {
    operation: 'updateProfile',
    id: target.profile,
    status: 200,
    body: { description: 'Signs in to the portal.', extensionIds: [] },
  },
};

interface Measurement {
  /** Requests per second at full speed in each turn, by kind of request. */
  readonly rates: Record<string, number[]>;
  /** Resident memory in megabytes: before any request, after the same number of them, and at full speed. */
  readonly atRest: number;
  afterTheSame: number;
  peak: number;
}

/** Measures both services in alternating turns. */
async function measure(): Promise<[reference: Measurement, prism: Measurement]> {
  const scratch = await mkdtemp(join(tmpdir(), 'bench-reference-'));
  const prism = join(
    dirname(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json')),
    'dist/index.js',
  );
  const mock = [
    'mock',
    join(root, 'generated/openapi.json'),
    '--port',
    '0',
    '--multiprocess',
    'false',
    '--verboseLevel',
    'info',
  ];
  const services: Service[] = [];
  try {
    const reference = await launch([await bundleReference(scratch)]);
    services.push(reference);
    const mocked = await launch([prism, ...mock]);
    services.push(mocked);
    for (const service of services) {
      for (const ask of Object.values(asks)) await load(service.pool, ask, ({ answered }) => answered < same);
      service.afterTheSame = residentMegabytes(service.child);
    }
    for (const [name, ask] of Object.entries(asks)) {
      for (let turn = 0; turn < turns; turn++)
        for (const service of turn % 2 ? services : services.toReversed()) {
          const answered = await load(service.pool, ask, ({ elapsed }) => elapsed < turnMs);
          service.rates[name] = [...(service.rates[name] ?? []), (answered / turnMs) * 1000];
          service.peak = Math.max(service.peak, residentMegabytes(service.child));
        }
    }
    return [reference, mocked];
  } finally {
    for (const { child, pool } of services) {
      await pool.destroy();
      child.kill('SIGKILL');
    }
    await rm(scratch, { recursive: true });
  }
}

/** Bundles a script that starts the service as `serve` does, with capacity for all executions of the load. */
async function bundleReference(folder: string): Promise<string> {
  const outfile = join(folder, 'reference.mjs');
  await build({
    stdin: {
      contents: `import { startReference } from './reference/index.js';
        const { url } = await startReference({ limits: { concurrency: 1_000_000, requests: 0 }, replaceGlobals: true });
        console.log('listening on ' + url);`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

interface Service extends Measurement {
  readonly child: ChildProcess;
  readonly pool: Pool;
}

async function launch(args: readonly string[]): Promise<Service> {
  const env = { ...process.env, FORCE_COLOR: '0' };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const origin = await originOf(child).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const pool = new Pool(origin, { connections: underWay });
  const atRest = residentMegabytes(child);
  return { child, pool, atRest, afterTheSame: atRest, peak: atRest, rates: {} };
}

async function originOf(child: ChildProcess): Promise<string> {
  let printed = '';
  child.stdout?.on('data', (text) => {
    printed = `${printed}${text}`.slice(-10_000);
  });
  for (;;) {
    const found = /listening on (http:\/\/[\d.]+:\d+)/.exec(printed)?.[1];
    if (found) return found;
    if (child.exitCode !== null) throw new Error(`the service ended before it listened: ${printed}`);
    await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
  }
}

const residentMegabytes = ({ pid }: ChildProcess): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

/** Sends requests while `goOn` returns true, and returns how many were answered. Throws for a wrong status. */
async function load(
  pool: Pool,
  { operation, id, status, body }: Ask,
  goOn: (progress: { answered: number; elapsed: number }) => boolean,
): Promise<number> {
  const { method, keyHeader, path } = operations[operation];
  const options = {
    method,
    path: path.replace(/\{\w+\}/, id),
    headers: { [keyHeader]: keys.full, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const began = performance.now();
  let answered = 0;
  const ask = async () => {
    while (goOn({ answered, elapsed: performance.now() - began })) {
      const response = await pool.request(options);
      const text = await response.body.text();
      if (response.statusCode !== status) throw new Error(`${operation}: ${response.statusCode} ${text}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: underWay }, ask));
  return answered;
}

export async function bench(): Promise<Section> {
  const [reference, prism] = await measure();
  const speeds = Object.entries(reference.rates).map(([name, rates]) => {
    const theirs = prism.rates[name] ?? [];
    return { name, rates, theirs, ratio: ratios(rates, theirs) };
  });
  const memory = (name: string, key: 'atRest' | 'afterTheSame' | 'peak') => {
    const [mine, theirs] = [reference[key], prism[key]];
    return [`${name}, MB`, mine.toFixed(0), theirs.toFixed(0), (mine / theirs).toFixed(2)];
  };
  const slowest = speeds.reduce((a, b) => (b.ratio.median < a.ratio.median ? b : a));
  const share = reference.afterTheSame / prism.afterTheSame;
  return {
    title: 'The reference service beside Prism',
    how:
      `The same requests to both, ${underWay} under way at a time, ${turns} turns of ${turnMs} ms each for each ` +
      'operation. Memory is the resident memory of the process, measured once.',
    columns: ['', 'reference', 'Prism', 'reference / Prism'],
    rows: [
      ...speeds.map(({ name, rates, theirs, ratio }) => [
        `${name}, requests a second`,
        show(spread(rates), 0),
        show(spread(theirs), 0),
        show(ratio, 1),
      ]),
      memory('memory at rest', 'atRest'),
      memory(`memory after ${same * Object.keys(asks).length} requests`, 'afterTheSame'),
      memory('memory at full speed', 'peak'),
    ],
    aims: [
      {
        says: `at least 5 times Prism's requests a second, on each operation`,
        was: `${slowest.ratio.median.toFixed(1)} (${slowest.name})`,
        met: slowest.ratio.median >= 5,
      },
      {
        says: `less than half of Prism's memory after the same number of requests`,
        was: share.toFixed(2),
        met: share < 0.5,
      },
    ],
  };
}
