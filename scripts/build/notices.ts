import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const head = `The files in this folder contain code of the packages below, each under its own license.
`;

/** Collects the licenses of all packages in the bundles. Throws if a package has none. */
export async function notices(root: string, metafiles: readonly Metafile[]): Promise<string> {
  const inputs = new Set(
    metafiles.flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))),
  );
  const within = [...inputs].filter((input) => /^generated\/.*\.js$/.test(input)).map((input) => origins(root, input));
  const folders = [...inputs, ...(await Promise.all(within)).flat()].flatMap((input) => packageFolder(input) ?? []);
  const texts = await Promise.all([...new Set(folders)].sort().map((folder) => notice(join(root, folder))));
  return [head, ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}

/** The package files that a generated module contains: esbuild names each one in a comment above its code. */
async function origins(root: string, module: string): Promise<string[]> {
  const text = await readFile(join(root, module), 'utf8');
  return [...text.matchAll(/^\/\/ (?:\.\.\/)*(node_modules\/.+)$/gm)].map(([, file = '']) => file);
}

/** `node_modules/@hono/node-server` of `node_modules/@hono/node-server/dist/index.mjs`. */
const packageFolder = (input: string): string | undefined => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];

async function notice(folder: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).sort();
  if (files.length === 0) throw new Error(`${name} ${version} is bundled and comes without a license.`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return [`${name} ${version}\n`, ...texts.map((text) => text.trim().replaceAll('\r\n', '\n'))].join('\n').concat('\n');
}
