/**
 * The reference service beside Prism: requests per second and memory, for the same requests, in one run.
 *
 * Each service runs in a process of its own, the load comes from this one: a connection pool each, with the same number
 * of requests under way. The two take turns, so that whatever else the machine does falls on both. The reference service
 * is bundled first, as a package would ship it. BENCH_SECONDS: how long each operation is measured (default 3).
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Pool } from 'undici';
import { operations } from '../generated/operations.js';
import { keys, targetOf } from '../reference/fixtures.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const underWay = 32;
/** Requests of each kind before memory is compared: the faster service would else be charged for answering more. */
const same = 1000;
const target = targetOf('');

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
    body: { description: 'Signs in to the portal.', mediaBlockerActive: true },
  },
};

export interface Measurement {
  readonly service: 'reference' | 'prism';
  /** Requests per second at full speed, by what is asked. */
  readonly rates: Record<string, number>;
  /** Resident memory of the process in megabytes: before any request, after the same number of them, at full speed. */
  readonly atRest: number;
  afterTheSame: number;
  peak: number;
}

/** Measures both services side by side. */
export async function measure(): Promise<Measurement[]> {
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
    services.push(await launch('reference', [await bundleReference(scratch)]));
    services.push(await launch('prism', [prism, ...mock]));
    for (const service of services) {
      for (const ask of Object.values(asks)) await load(service.pool, ask, ({ answered }) => answered < same);
      service.afterTheSame = residentMegabytes(service.child);
    }
    for (const [name, ask] of Object.entries(asks)) {
      // Half a second each, in turns.
      for (let turn = 0; turn < seconds * 2; turn++)
        for (const service of services) {
          const answered = await load(service.pool, ask, ({ elapsed }) => elapsed < 500);
          service.rates[name] = (service.rates[name] ?? 0) + answered / seconds;
          service.peak = Math.max(service.peak, residentMegabytes(service.child));
        }
    }
    return services.map(({ child: _child, pool: _pool, ...measurement }) => measurement);
  } finally {
    for (const { child, pool } of services) {
      await pool.destroy();
      child.kill('SIGKILL');
    }
    await rm(scratch, { recursive: true });
  }
}

/** A file that starts the service as `serve` does, with room for as many executions as the load will start. */
async function bundleReference(folder: string): Promise<string> {
  const outfile = join(folder, 'reference.mjs');
  await build({
    stdin: {
      contents: `import { startReference } from './reference/index.js';
        const { url } = await startReference({ limits: { concurrency: 1_000_000 }, replaceGlobals: true });
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

async function launch(service: Measurement['service'], args: readonly string[]): Promise<Service> {
  const env = { ...process.env, FORCE_COLOR: '0' };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const pool = new Pool(await originOf(child), { connections: underWay });
  const atRest = residentMegabytes(child);
  return { service, child, pool, atRest, afterTheSame: atRest, peak: atRest, rates: {} };
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

/** Asks for as long as `goOn` says, and gives how many were answered. Throws when one is answered as it must not be. */
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

/** A Markdown table: each service's figures, and the ratio. */
export function table([reference, prism]: readonly Measurement[]): string {
  if (!reference || !prism) return '';
  const row = (name: string, mine: number, theirs: number, unit: string) =>
    `| ${name} | ${mine.toFixed(0)} ${unit} | ${theirs.toFixed(0)} ${unit} | ${(mine / theirs).toFixed(2)} |`;
  return [
    '| | reference | Prism | ratio |',
    '|---|---|---|---|',
    ...Object.entries(reference.rates).map(([name, rate]) => row(name, rate, prism.rates[name] ?? 0, 'req/s')),
    row('memory at rest', reference.atRest, prism.atRest, 'MB'),
    row(`memory after ${same * Object.keys(asks).length} requests`, reference.afterTheSame, prism.afterTheSame, 'MB'),
    row('memory at full speed', reference.peak, prism.peak, 'MB'),
  ].join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(table(await measure()));
