import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contractPage } from './docs/contract-page.js';
import { readDocument } from './docs/document.js';
import { writeSite } from './docs/site.js';
import { script } from './script.js';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Writes the contract as a self-contained page, and the site of all pages. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      output: { type: 'string', default: join(project, 'docs/contract.html') },
      site: { type: 'string', default: join(project, 'site') },
    },
  });
  const document = await readDocument(join(project, 'generated/openapi.json'));
  await writeFile(values.output, contractPage(document));
  console.log(values.output);
  const pages = await writeSite(project, values.site, document);
  console.log(`${values.site}: ${pages} pages`);
}

await script('docs', 'npm run docs -- [--output FILE] [--site FOLDER]', main);
