import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contractPage } from './docs/contract-page.js';
import { readDocument } from './docs/document.js';
import { script } from './script.js';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Writes the contract as a page that works offline. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { output: { type: 'string', default: join(project, 'docs/contract.html') } },
  });
  await writeFile(values.output, contractPage(await readDocument(join(project, 'generated/openapi.json'))));
  console.log(values.output);
}

await script('docs', 'npm run docs -- [--output FILE]', main);
