// Runs the client's portable tests (test/runtimes/cases.ts) on other runtimes, which npm downloads and caches.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Outcome } from '../test/runtimes/cases.js';
import { type Nature, type Rig, startRig } from '../test/runtimes/rig.js';

interface Runtime {
  /** The npm package. */
  readonly package: string;
  readonly nature: Nature;
  /** Runs the cases. Rejects if the runtime itself fails. */
  run(rig: Rig, folder: string): Promise<Outcome[]>;
}

const root = fileURLToPath(new URL('..', import.meta.url));

const script = (name: string, version: string, repeats: Nature['repeats'], ...args: string[]): Runtime => ({
  package: `${name}@${version}`,
  nature: { tellsUnreachable: true, tellsRedirects: true, repeats },
  async run(rig, folder) {
    const file = await bundle(folder, rig, 'console.log(JSON.stringify(await runAll(rig)));');
    const child = start(binaryOf(`${name}@${version}`, name), [...args, file]);
    const [output, complaint] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    return parse(output, complaint);
  },
});

const runtimes: Readonly<Record<string, Runtime>> = {
  deno: script('deno', '2.9.6', 'nothing', 'run', '--quiet', '--no-config', '--allow-net'),
  bun: script('bun', '1.4.5', 'deletions'),
  ...Object.fromEntries(['20', '22', '24', '26'].map((line) => [`node${line}`, script('node', line, 'nothing')])),
  workerd: {
    package: 'workerd@1.20261117.1',
    // In workerd, every failure is a lost connection or an internal error.
    nature: { tellsUnreachable: false, tellsRedirects: true, repeats: 'deletions' },
    async run(rig, folder) {
      const worker = 'export default { fetch: async () => Response.json(await runAll(rig)) };';
      await bundle(folder, rig, worker);
      const config = join(folder, 'config.capnp');
      await writeFile(config, workerConfig);
      const child = start(binaryOf(this.package, 'workerd'), ['serve', '--control-fd=3', config]);
      const complaint = textOf(child.stderr);
      try {
        const response = await fetch(`http://127.0.0.1:${await portOf(child, complaint)}/`);
        return parse(await response.text(), '');
      } finally {
        child.kill();
      }
    },
  },
};

const workerConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "main.mjs", esModule = embed "main.mjs")], compatibilityDate = "2025-09-01")),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

/** Bundles the client and the cases into one file, as for a place without Node. */
async function bundle(folder: string, rig: Rig, last: string): Promise<string> {
  const outfile = join(folder, 'main.mjs');
  const contents = `import { runAll } from './test/runtimes/cases.ts'; const rig = ${JSON.stringify(rig)}; ${last}`;
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outfile,
  });
  return outfile;
}

/** The path of the program itself, because a signal would end only the script in node_modules/.bin that starts it. */
function binaryOf(spec: string, name: string): string {
  const print = `const { createRequire } = require('node:module');
    const { dirname, join } = require('node:path');
    const folder = process.env.PATH.split(require('node:path').delimiter).find((one) => one.includes('_npx'));
    console.log(join(folder, ${JSON.stringify(name)}));`;
  return execFileSync('npm', ['exec', '--yes', `--package=${spec}`, '--', process.execPath, '-e', print], {
    encoding: 'utf8',
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}

const start = (file: string, args: readonly string[]): ChildProcess =>
  spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_PROXY: '*', NO_COLOR: '1' },
  });

const textOf = async (stream: Readable | null): Promise<string> => (stream ? text(stream) : '');

function portOf(child: ChildProcess, complaint: Promise<string>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.stdio[3]?.on('data', (lines) => {
      const port = /"port":(\d+)/.exec(String(lines))?.[1];
      if (port) resolve(Number(port));
    });
    void complaint.then((said) => reject(new Error(said.slice(-2000))));
  });
}

function parse(output: string, complaint: string): Outcome[] {
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`It gave no outcomes: ${(output + complaint).slice(-2000)}`);
  }
}

async function tryOut(name: string, runtime: Runtime): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'runtime-'));
  const { rig, close } = await startRig(runtime.nature);
  try {
    const outcomes = await runtime.run(rig, folder);
    const failed = outcomes.filter(({ failure }) => failure !== undefined);
    console.log(`${runtime.package}: ${outcomes.length - failed.length} of ${outcomes.length} passed`);
    for (const { name, failure } of failed) console.log(`  ✗ ${name}\n    ${failure}`);
    if (failed.length > 0 || outcomes.length === 0) process.exitCode = 1;
  } catch (error) {
    console.log(`${name} could not run the tests: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

const named = process.argv.slice(2);
const unknown = named.find((name) => !runtimes[name]);
if (unknown) {
  console.error(`${unknown} is no runtime of these: ${Object.keys(runtimes).join(', ')}.`);
  process.exitCode = 2;
} else
  for (const [name, runtime] of Object.entries(runtimes))
    if (named.length === 0 || named.includes(name)) await tryOut(name, runtime);
