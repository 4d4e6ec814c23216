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
  const root = withPaths(values.from);
  if (!values.check) await writeFile(join(values.from, 'openapi.yaml'), root);
  const { modules, schemas } = await buildAll(values.from);
  const count = modules.size + schemas.size;
  if (!values.check) {
    await replaceFiles(values.to, modules);
    for (const [path, content] of schemas) await writeFile(join(values.root, path), content);
    console.log(`${count} files generated in ${(performance.now() / 1000).toFixed(1)} s`);
    return 0;
  }
  const staleSchemas = await Promise.all([...schemas].map(([path, want]) => staleFile(values.root, path, want)));
  const stale = [
    ...(await staleFile(values.from, 'openapi.yaml', root)).map((line) => `openapi/${line}`),
    ...(await staleFiles(values.to, modules)).map((line) => `generated/${line}`),
    ...staleSchemas.flat(),
  ];
  for (const line of stale) console.error(line);
  console.log(stale.length > 0 ? 'Run `npm run generate`.' : `${count} files are fresh`);
  return stale.length > 0 ? 1 : 0;
}

await script('generate', 'npm run generate -- [--check] [--from FOLDER] [--to FOLDER] [--root FOLDER]', main);
