import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stubs } from './new-rule/stubs.js';
import { Misuse, script } from './script.js';

const usage = 'npm run new:rule -- ID --like ID: the rule that the new one stands beside, and is first a copy of';

/** Writes stubs for a new rule, as "Add a rule" in CONTRIBUTING.md lists them. Tests fail until they are filled in. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      like: { type: 'string' },
      in: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    },
  });
  const [id] = positionals;
  if (id === undefined || positionals.length > 1 || values.like === undefined)
    throw new Misuse('it takes one ID, and --like with another');
  const written = await stubs(values.in, id, values.like);
  for (const { file, text } of written) await writeFile(join(values.in, file), text);
  for (const { file, what } of written) console.log(`${file}: ${what}`);
  console.log('Next: npm run generate, then CONTRIBUTING.md, "Add a rule".');
}

await script('new:rule', usage, main);
