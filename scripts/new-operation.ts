import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { operationStubs } from './new-operation/stubs.js';
import { Misuse, script } from './script.js';

const usage =
  "npm run new:operation -- ID --like ID [--path '/agents/v2/…'] [--method POST] [--effect ends]: the operation that the new one stands beside, and is first a copy of";

/** Writes stubs for a new operation, as "Add an operation" in CONTRIBUTING.md lists them. None compiles yet. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      like: { type: 'string' },
      path: { type: 'string' },
      method: { type: 'string' },
      effect: { type: 'string' },
      in: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    },
  });
  const { like, path, method, effect } = values;
  const [id] = positionals;
  if (id === undefined || positionals.length > 1 || like === undefined)
    throw new Misuse('it takes one ID, and --like with another');
  const written = await operationStubs(values.in, { id, like, path, method, effect });
  for (const { file, text } of written) await writeFile(join(values.in, file), text);
  for (const { file, what } of written) console.log(`${file}: ${what}`);
  console.log('Next: npm run generate, npm run typecheck, and CONTRIBUTING.md, "Add an operation".');
}

await script('new:operation', usage, main);
