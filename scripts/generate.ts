import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildAll } from './generate/build.js';
import { replaceFiles, staleFiles } from './generate/files.js';

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      from: { type: 'string', default: here('openapi') },
      to: { type: 'string', default: here('generated') },
    },
  });
  const files = await buildAll(values.from);
  if (!values.check) {
    await replaceFiles(values.to, files);
    console.log(`${files.size} files generated in ${(performance.now() / 1000).toFixed(1)} s`);
    return 0;
  }
  const stale = await staleFiles(values.to, files);
  for (const line of stale) console.error(`generated/${line}`);
  console.log(stale.length > 0 ? 'Run `npm run generate`.' : `${files.size} files are fresh`);
  return stale.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`generate: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
