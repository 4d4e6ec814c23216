// Runs a script of this folder: `node scripts/run.js generate --check`. Bundles the script first, with packages left
// external: a loader that transforms each file would take longer than the scripts themselves.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';

/** Keeps `import.meta.url` of each file; otherwise it would be that of the bundle. @type {import('esbuild').Plugin} */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const define = { 'import.meta.url': JSON.stringify(pathToFileURL(path)) };
      const { code } = await transform(await readFile(path, 'utf8'), { define, loader: 'ts', format: 'esm' });
      return { contents: code, loader: 'js' };
    });
  },
};

const [node, , name, ...args] = process.argv;
const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
const { outputFiles } = await build({
  entryPoints: [script],
  bundle: true,
  write: false,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  plugins: [places],
});
process.argv = [node, script, ...args];
// A place from which packages are found.
const folder = new URL('../node_modules/.cache/scripts/', import.meta.url);
const bundled = new URL(`${name}-${process.pid}.mjs`, folder);
await mkdir(folder, { recursive: true });
await writeFile(bundled, outputFiles[0]?.text ?? '');
try {
  await import(bundled.href);
} finally {
  await rm(bundled, { force: true });
}
