import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cases } from './cases.js';
import { markdown } from './markdown.js';
import { prove } from './prove.js';
import { matrixText, summary } from './terminal.js';

const page = fileURLToPath(new URL('../docs/proof.md', import.meta.url));

/** Shows that every rule can fail and can hold: exit code 1 where one cannot. `--write` writes docs/proof.md. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  const { isTTY } = process.stderr;
  const proof = await prove((count) => {
    if (isTTY) process.stderr.write(`\r${count} of ${cases.length} services checked`);
  });
  if (isTTY) process.stderr.write('\r\u001b[K');
  console.log(matrixText(proof));
  console.log(`\n${summary(proof)}`);
  for (const problem of proof.problems) console.error(problem);
  if (proof.problems.length > 0) return 1;
  if (values.write) await writeFile(page, markdown(proof));
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`prove: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
