import { parseArgs } from 'node:util';
import { storeSection } from '../scripts/figures.js';
import { script } from '../scripts/script.js';
import { type Bench, here, markdown } from './measure.js';

const benches: Readonly<Record<string, () => Promise<{ bench: Bench }>>> = {
  check: () => import('./check.js'),
  client: () => import('./client.js'),
  recordings: () => import('./recordings.js'),
  reference: () => import('./reference.js'),
};

/** Runs the named benchmarks, or all, and prints the results. `--write` stores them in docs/figures.md. */
async function main(): Promise<void> {
  const { values, positionals: named } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  });
  const unknown = named.find((name) => !benches[name]);
  if (unknown) throw new Error(`${unknown} is no benchmark; there are ${Object.keys(benches).join(', ')}.`);
  for (const [name, load] of Object.entries(benches)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const machine = here();
    const { bench } = await load();
    const section = markdown(await bench(), machine);
    console.log(`${section}\n`);
    if (values.write) await storeSection(section);
  }
}

await script('bench', 'npm run bench -- [NAMES…] [--write]', main);
