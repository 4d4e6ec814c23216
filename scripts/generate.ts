import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildAll } from './generate/build.js';
import { replaceFiles, staleFile, staleFiles } from './generate/files.js';
import { withPaths } from './generate/paths.js';
import { script } from './script.js';

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      from: { type: 'string', default: here('openapi') },
      to: { type: 'string', default: here('generated') },
      root: { type: 'string', default: here('') },
    },
  });
  const isOwn = values.to === here('generated');
  const root = withPaths(values.from);
  if (!values.check) await writeFile(join(values.from, 'openapi.yaml'), root);
  const { modules, schemas } = await buildAll(values.from);
  const count = modules.size + schemas.size;
  if (!values.check) {
    await replaceFiles(values.to, modules);
    for (const [path, content] of schemas) await writeFile(join(values.root, path), content);
    console.log(`${count} files generated in ${(performance.now() / 1000).toFixed(1)} s`);
    return isOwn ? tables() : 0;
  }
  const staleSchemas = await Promise.all([...schemas].map(([path, want]) => staleFile(values.root, path, want)));
  const stale = [
    ...(await staleFile(values.from, 'openapi.yaml', root)).map((line) => `openapi/${line}`),
    ...(await staleFiles(values.to, modules)).map((line) => `generated/${line}`),
    ...staleSchemas.flat(),
  ];
  const areTablesStale = stale.length === 0 && isOwn && tables('--check') !== 0;
  for (const line of stale) console.error(line);
  const isStale = stale.length > 0 || areTablesStale;
  console.log(isStale ? 'Run `npm run generate`.' : `${count} files are fresh`);
  return isStale ? 1 : 0;
}

/** Runs tables.ts in a process of its own: it imports what has just been generated. */
const tables = (...args: readonly string[]): number =>
  spawnSync(process.execPath, [here('scripts/run.js'), 'tables', ...args], { stdio: 'inherit' }).status ?? 1;

await script('generate', 'npm run generate -- [--check] [--from FOLDER] [--to FOLDER] [--root FOLDER]', main);
