import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const bundle = async (...entry: string[]) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry.join('\n'), resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    outdir: 'out',
  });
  const chunks = Object.entries(metafile.outputs).map(([path, { inputs, imports, entryPoint }]) => ({
    text: outputFiles.find((file) => file.path.endsWith(path))?.text ?? '',
    inputs: Object.keys(inputs),
    imports,
    entry: entryPoint !== undefined && !Object.keys(inputs).some((input) => input.includes('validators')),
  }));
  const main = chunks.find(({ entry }) => entry);
  if (!main) throw new Error('The bundle has no entry.');
  return { chunks, main };
};

const everything = `export * from '../../client/index.js';`;

test('the client takes 8 KB at most, minified and compressed, with openapi-fetch in it', async () => {
  const { main } = await bundle(everything);
  const bytes = gzipSync(main.text, { level: 9 }).length;
  expect(bytes).toBeGreaterThan(2000);
  expect(bytes).toBeLessThanOrEqual(8 * 1024);
});

test('the client imports nothing but openapi-fetch and what is generated, and the validators only when asked', async () => {
  const { main, chunks } = await bundle(everything);
  const packages = main.inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  expect([...new Set(packages)]).toEqual(['openapi-fetch']);
  expect(main.imports.map(({ kind }) => kind)).toEqual(['dynamic-import']);
  expect(chunks.filter(({ inputs }) => inputs.some((input) => input.includes('validators')))).toHaveLength(1);
});
