import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';

/** What is loaded when it is first asked for counts for itself. */
const late: Plugin = {
  name: 'late',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined));
  },
};

const bundle = async (contents: string, plugins: Plugin[] = [late]) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    plugins,
  });
  const text = outputFiles[0]?.text ?? '';
  return { bytes: gzipSync(text, { level: 9 }).length, inputs: Object.keys(metafile.inputs) };
};

/** What the description of the operations takes by itself, of the contract that the limits were set for. */
const described = 776;

/** A larger contract may take more: as much as its description grew. */
async function limit(kilobytes: number): Promise<number> {
  const { bytes } = await bundle(`export { sends } from '../../generated/sends.js';`);
  return kilobytes * 1024 + Math.max(0, bytes - described);
}

const everything = `export * from '../../client/index.js';`;
const packagesOf = (inputs: readonly string[]) => [
  ...new Set(inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [])),
];

test('everything exported that a program loads first is at most 11 KB, minified and compressed', async () => {
  const { bytes } = await bundle(everything);
  expect(bytes).toBeGreaterThan(2000);
  expect(bytes).toBeLessThanOrEqual(await limit(11));
});

test('rarely used parts are loaded late', async () => {
  const { inputs } = await bundle(everything);
  expect(inputs.filter((input) => /run-all|files\.ts|raw\.ts|openapi-fetch|deviation|validators/.test(input))).toEqual(
    [],
  );
});

/** Only `raw` needs openapi-fetch. */
const withoutRaw: Plugin = {
  name: 'without raw',
  setup({ onResolve }) {
    onResolve({ filter: /\/raw\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

test('the client without raw is at most 14 KB, with raw 15.25 KB, and it imports nothing but openapi-fetch', async () => {
  expect((await bundle(everything, [withoutRaw])).bytes).toBeLessThanOrEqual(await limit(14));
  const { bytes, inputs } = await bundle(everything, []);
  expect(packagesOf(inputs)).toEqual(['openapi-fetch']);
  expect(inputs.filter((input) => input.includes('validators'))).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(await limit(15.25));
});
