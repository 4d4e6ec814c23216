import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './build/bundle.js';
import { notices } from './build/notices.js';
import { declarations } from './build/types.js';
import { script } from './script.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Fills dist/ with what the package ships beside generated/openapi.json. Leaves dist/ unchanged if anything fails. */
async function main(): Promise<void> {
  parseArgs({ options: {} });
  const bundles = await bundle(root);
  const licenses = await notices(
    root,
    bundles.map(({ metafile }) => metafile),
  );
  const files = new Map([
    ...bundles.flatMap(({ files }) => [...files]),
    ...[...declarations(root)].map(([file, text]) => [`types/${file}`, text] as const),
    ['THIRD-PARTY-NOTICES.txt', licenses] as const,
  ]);
  const dist = join(root, 'dist');
  await rm(dist, { recursive: true, force: true });
  for (const [file, text] of files) {
    await mkdir(dirname(join(dist, file)), { recursive: true });
    await writeFile(join(dist, file), text);
  }
  console.log(`dist/: ${files.size} files in ${(performance.now() / 1000).toFixed(1)} s`);
}

await script('build', 'npm run build', main);
