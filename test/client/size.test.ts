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
    entry: entryPoint !== undefined,
  }));
  const main = chunks.find(({ entry }) => entry);
  if (!main) throw new Error('The bundle has no entry.');
  return { chunks, main };
};

const everything = `export * from '../../client/index.js';`;

const compressed = (text: string) => gzipSync(text, { level: 9 }).length;

test('the client takes 11 KB at most, minified and compressed, with openapi-fetch in it', async () => {
  const { main } = await bundle(everything);
  expect(compressed(main.text)).toBeGreaterThan(2000);
  expect(compressed(main.text)).toBeLessThanOrEqual(11.5 * 1024);
});

test('the client imports nothing but openapi-fetch and what is generated, and loads late what not everybody needs', async () => {
  const { main, chunks } = await bundle(everything);
  const packages = main.inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  expect([...new Set(packages)]).toEqual(['openapi-fetch']);
  const late = chunks.flatMap(({ entry, inputs }) => (entry ? inputs : []));
  expect(late.some((input) => input.includes('validators'))).toBe(false);
  expect(main.inputs.some((input) => /run-all|files\.ts|validators/.test(input))).toBe(false);
});
