import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseYaml } from '@redocly/openapi-core';
import { bundle } from './generate/bundle.js';
import { kindsOf, readOperations } from './generate/document.js';
import { refuseUnlisted } from './generate/paths.js';
import { parseRegister, readRegister } from './generate/register.js';
import { refuseUntried } from './generate/request-keywords.js';
import { refuseEmpty } from './generate/source.js';
import { inputsOutside, statesLeftOut } from './lint/flow-values.js';
import { type Flows, leadingNowhere, unnamedInExamples, unnamedInFlows } from './lint/named.js';
import { runRedocly } from './lint/redocly.js';
import { unusedFiles } from './lint/unused-files.js';
import { unusedNames } from './lint/unused-names.js';
import { toBeSaid } from './new-rule/stubs.js';

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * Lints the contract in a folder and its flows, then checks register, examples, links and flows against it, and that no
 * file and no name is left over. Throws for mistakes, with their places.
 */
async function lint(sources: string): Promise<void> {
  const root = join(sources, 'openapi.yaml');
  const flows = join(sources, 'arazzo/flows.arazzo.yaml');
  const rules = join(sources, 'rules.yaml');
  if (!existsSync(root))
    throw new Error(`${root} does not exist: name the folder of a contract, or none for openapi/.`);
  // Checked first, because Redocly does not name the file of an empty keyword.
  refuseEmpty(sources);
  // Checked first, because a lint rule reads it too, and would report another file.
  parseRegister(rules);
  await runRedocly('lint', root, flows, '--config', here('redocly.yaml'), '--max-problems', '1000');
  refuseUnlisted(sources);
  const document = await bundle(root);
  const operations = readOperations(document);
  refuseUntried(document, operations);
  readRegister(
    rules,
    operations.map(({ id }) => id),
    kindsOf(document),
  );
  const read = (file: string): unknown => parseYaml(readFileSync(file, 'utf8'));
  const described = read(flows) as Flows;
  const register = [rules, join(sources, 'statements.yaml')].map(read) as Record<string, unknown>[];
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  const stubs = files.filter((name) => readFileSync(join(sources, name), 'utf8').includes(toBeSaid));
  const mistakes = [
    ...stubs.map((file) => `${file} has words of a stub: "${toBeSaid}"`),
    ...unusedFiles(sources).map((file) => `${file} is used by nothing of the contract: delete it, or refer to it.`),
    ...unusedNames(document, ...register).map((name) => `${name} is used by nothing of the contract: delete it.`),
    ...leadingNowhere(document, described),
    ...inputsOutside(document, described),
    ...statesLeftOut(document, described),
    ...[...unnamedInExamples(document), ...unnamedInFlows(document, described)].map(
      ({ user, field }) => `${user} has the field ${field}, which the contract does not name.`,
    ),
  ];
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
}

try {
  const { positionals } = parseArgs({ allowPositionals: true });
  await lint(positionals[0] ?? here('openapi'));
  console.log('The contract and its register are in order.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
