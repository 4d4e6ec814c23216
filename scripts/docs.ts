import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { registerMarkdown } from './docs/register-page.js';
import { bundle, runRedocly } from './generate/bundle.js';
import { readOperations } from './generate/document.js';
import { readRegister } from './generate/register.js';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Writes one HTML page of the contract, with its rules and gaps, that loads nothing from anywhere. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { output: { type: 'string', default: join(project, 'docs/contract.html') } },
  });
  const scratch = await mkdtemp(join(tmpdir(), 'docs-'));
  try {
    const document = await bundle(join(project, 'openapi/openapi.yaml'), scratch);
    const operationIds = readOperations(document).map(({ id }) => id);
    const register = readRegister(join(project, 'openapi/rules.yaml'), operationIds);
    const { description = '' } = document.info as { description?: string };
    const info = { ...document.info, description: `${description}\n\n${registerMarkdown(register)}` };
    const source = join(scratch, 'contract.json');
    await writeFile(source, JSON.stringify({ ...document, info }));
    const template = join(project, 'scripts/docs/page.hbs');
    await runRedocly('build-docs', source, '--inlineBundle', '--template', template, '--output', values.output);
    console.log(values.output);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  console.error(`docs: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
