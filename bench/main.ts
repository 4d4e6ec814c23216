import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { script } from '../scripts/script.js';
import { type Bench, root } from './measure.js';
import { type Machine, markdown, measured, reached } from './page.js';
import { packageVersions } from './versions.js';

const benches: Readonly<Record<string, () => Promise<{ bench: Bench }>>> = {
  client: () => import('./client.js'),
  validators: () => import('./validators.js'),
  reference: () => import('./reference.js'),
  check: () => import('./check.js'),
  dredd: () => import('./dredd.js'),
  generate: () => import('./generate.js'),
  commands: () => import('./commands.js'),
  budgets: () => import('./budgets.js'),
  recordings: () => import('./recordings.js'),
  proxy: () => import('./proxy.js'),
};

/** Runs the named benchmarks, or all, and prints the results. `--write` updates docs/benchmarks.md. */
async function main(): Promise<void> {
  const { values, positionals: named } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
  });
  const unknown = named.find((name) => !benches[name]);
  if (unknown) throw new Error(`${unknown} is no benchmark; there are ${Object.keys(benches).join(', ')}.`);
  if (values.write && values.quick) throw new Error('--write wants benchmarks at full length.');

  const page = join(root, 'docs/benchmarks.md');
  for (const [name, load] of Object.entries(benches)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const machine = here();
    const { bench } = await load();
    const section = await bench({ quick: values.quick });
    console.log(`${reached(section)}\n`);
    if (!values.write) continue;
    await writeFile(
      page,
      markdown([measured(section, machine, packageVersions(section))], await readFile(page, 'utf8')),
    );
    console.log('docs/benchmarks.md written\n');
  }
}

const here = (): Machine => ({
  date: new Date().toISOString().slice(0, 10),
  processor: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${process.arch}`,
  node: process.version,
  loadBefore: loadavg()[0] ?? Number.NaN,
});

await script('bench', 'npm run bench -- [NAMES…] [--write | --quick]', main);
