import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { executable } from './build/executable.js';
import { script } from './script.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes the command as a single executable, for users without Node. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { output: { type: 'string', default: join(root, 'executable') } } });
  console.log(await executable(root, values.output));
}

await script('executable', 'npm run executable -- [--output FILE]', main);
