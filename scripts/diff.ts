import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changesBetween } from './diff/changes.js';
import { consequencesOf } from './diff/consequences.js';
import { contractAt } from './diff/contract.js';
import { diffText } from './diff/report.js';
import { refuseUnlisted } from './generate/paths.js';
import { Misuse, script } from './script.js';

const usage = 'npm run diff -- <git ref or file> [--json]';
const project = fileURLToPath(new URL('..', import.meta.url));

/** Prints what changed in the contract since a ref or file. Exits with 1 if a change is breaking, otherwise with 0. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
  const [since, ...more] = positionals;
  if (since === undefined || more.length > 0) throw new Misuse('it takes one git ref or file');
  refuseUnlisted(join(project, 'openapi'));
  const scratch = await mkdtemp(join(tmpdir(), 'diff-'));
  try {
    const [base, revision] = await Promise.all([
      contractAt(since, project, join(scratch, 'base')),
      contractAt(join(project, 'openapi/openapi.yaml'), project, join(scratch, 'revision')),
    ]);
    const changes = changesBetween(base, revision);
    const consequences = await consequencesOf(changes, base, revision, project);
    const breaking = changes.some((change) => change.breaking);
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ since, breaking, changes, consequences }, null, 2)}\n`
        : diffText(changes, consequences, since),
    );
    return breaking ? 1 : 0;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

await script('diff', usage, main);
