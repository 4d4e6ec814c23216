import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './generate/bundle.js';
import { readOperations } from './generate/document.js';
import { parseRegister, readRegister } from './generate/register.js';
import { runRedocly } from './lint/redocly.js';

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Lints the contract in a folder and its flows, then holds its register against it. Throws what is wrong, with the place. */
async function lint(sources: string): Promise<void> {
  const root = join(sources, 'openapi.yaml');
  const flows = join(sources, 'arazzo/flows.arazzo.yaml');
  const rules = join(sources, 'rules.yaml');
  // The linter reads it too, and would name another file.
  parseRegister(rules);
  await runRedocly('lint', root, flows, '--config', here('redocly.yaml'), '--max-problems', '1000');
  const operations = readOperations(await bundle(root));
  readRegister(
    rules,
    operations.map(({ id }) => id),
  );
}

try {
  const { positionals } = parseArgs({ allowPositionals: true });
  await lint(positionals[0] ?? here('openapi'));
  console.log('The contract and its register are in order.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
