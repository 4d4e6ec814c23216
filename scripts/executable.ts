import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { executable } from './build/executable.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes the command as a single executable, for users without Node. */
try {
  const { values } = parseArgs({ options: { output: { type: 'string', default: join(root, 'executable') } } });
  console.log(await executable(root, values.output));
} catch (error) {
  console.error(`executable: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
