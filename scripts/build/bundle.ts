/** Bundles the parts of the package. */

import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** Output files by their path in the output folder, and esbuild's description of them. */
export interface Bundle {
  readonly files: ReadonlyMap<string, string>;
  /** What each output file contains and imports. */
  readonly metafile: Metafile;
}

/** Entry points for callers of a service, also for `require`. They run anywhere, so they use nothing of Node. */
const client = {
  index: 'client/index.ts',
  types: 'generated/types.ts',
  handlers: 'generated/handlers.ts',
  validators: 'generated/validators.js',
};

/** Entry points that are also built as CommonJS, because Jest uses `require` for CommonJS programs. */
const commonTools = { reference: 'certify/double.ts' };

/** Entry points that need Node, and the worker of `reference.cjs`. */
const tools = {
  cli: 'cli/main.ts',
  reference: 'certify/double.ts',
  'judge-worker': 'certify/judge-worker.ts',
  conformance: 'conformance/index.ts',
  vitest: 'conformance/vitest.ts',
};

// CommonJS packages require Node's modules at run time.
const requireInModules = `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);`;

/** Imports the large validators from the client's build instead of bundling them again. */
const shareValidators = (path: string): Plugin => ({
  name: 'share-validators',
  setup({ onResolve }) {
    onResolve({ filter: /generated\/validators\.js$/ }, () => ({ path, external: true }));
  },
});

/** Bundles the parts of undici that the suite uses, not all of it. */
const partsOfUndici = (root: string): Plugin => ({
  name: 'parts-of-undici',
  setup({ onResolve }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: join(root, 'scripts/build/undici.cjs') }));
  },
});

/**
 * Leaves the judge of callers, and with it the suite, out of the build for `require`. A worker loads it as a module, also
 * where a test runner such as Jest has no `import()`.
 */
const judgeInWorker: Plugin = {
  name: 'judge-in-worker',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/judge-callers\.js$/ }, ({ path }) => ({ path, namespace: 'judge' }));
    onLoad({ filter: /./, namespace: 'judge' }, () => ({
      contents: `
        import { Worker } from 'node:worker_threads';
        export const judge = (kept) => new Promise((resolve, reject) =>
          new Worker(require('node:path').join(__dirname, 'judge-worker.js'), { workerData: kept })
            .once('message', resolve)
            .once('error', reject));`,
    }));
  },
};

const onNode = {
  platform: 'node',
  target: 'node20.19',
  // Half of the output is code of packages, which nobody reads.
  minify: true,
} as const;

const inCommonJs = { format: 'cjs', splitting: false, outExtension: { '.js': '.cjs' } } as const;

/** Bundles all code of the package into a flat folder, because some of it locates files relative to itself. */
export async function bundle(root: string): Promise<readonly Bundle[]> {
  return Promise.all([
    run(root, { entryPoints: client, platform: 'neutral', target: 'es2022', external: ['openapi-fetch'] }),
    run(root, {
      entryPoints: client,
      platform: 'neutral',
      target: 'es2022',
      // Includes openapi-fetch, whose default export differs between loaders of ESM and CommonJS.
      ...inCommonJs,
    }),
    run(root, {
      ...onNode,
      entryPoints: tools,
      external: ['vitest'],
      banner: { js: requireInModules },
      plugins: [shareValidators('./validators.js'), partsOfUndici(root)],
    }),
    run(root, {
      ...onNode,
      ...inCommonJs,
      entryPoints: commonTools,
      plugins: [shareValidators('./validators.cjs'), judgeInWorker],
    }),
  ]);
}

async function run(root: string, options: BuildOptions): Promise<Bundle> {
  const { outputFiles = [], metafile = { inputs: {}, outputs: {} } } = await build({
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    splitting: true,
    outdir: '.',
    write: false,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  });
  return { files: new Map(outputFiles.map(({ path, text }) => [path.slice(join(root, '/').length), text])), metafile };
}
