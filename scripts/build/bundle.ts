import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** Files by their place in the output folder, and what they were made of. */
export interface Bundle {
  readonly files: ReadonlyMap<string, string>;
  /** By file name: what each output contains and imports. */
  readonly metafile: Metafile;
}

/** What a consumer calls a service with, also by `require`: runs anywhere, so nothing of Node is in it. */
const client = {
  index: 'client/index.ts',
  types: 'generated/types.ts',
  handlers: 'generated/handlers.ts',
  validators: 'generated/validators.js',
};

/** For tests of programs in CommonJS, for which Jest knows nothing else than `require`. */
const commonTools = { reference: 'double/index.ts' };

/** What is started as a thread, by this name. */
export const threads = {
  'proxy-worker': 'conformance/threads/proxy.ts',
  'recording-worker': 'conformance/threads/recording.ts',
};

/** What runs in Node alone. */
const tools = {
  cli: 'cli/main.ts',
  reference: 'double/index.ts',
  conformance: 'conformance/index.ts',
  vitest: 'conformance/vitest.ts',
  ...threads,
};

// Packages in CommonJS ask for Node's modules when they run.
const requireInModules = `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);`;

/** The validators are large, and the client's build has them already, at this place. */
const shareValidators = (path: string): Plugin => ({
  name: 'share-validators',
  setup({ onResolve }) {
    onResolve({ filter: /generated\/validators\.js$/ }, () => ({ path, external: true }));
  },
});

const onNode = {
  platform: 'node',
  target: 'node20.19',
  // Half of it are packages that nobody reads; names stay, for whoever reports where an error comes from.
  minifyWhitespace: true,
} as const;

const inCommonJs = { format: 'cjs', splitting: false, outExtension: { '.js': '.cjs' } } as const;

/** Everything of the package that runs, in a flat folder: some of it finds its files by where it is. */
export async function bundle(root: string): Promise<readonly Bundle[]> {
  return Promise.all([
    run(root, { entryPoints: client, platform: 'neutral', target: 'es2022', external: ['openapi-fetch'] }),
    run(root, {
      entryPoints: client,
      platform: 'neutral',
      target: 'es2022',
      // With openapi-fetch in it: what its two kinds of module call default differs between loaders.
      ...inCommonJs,
    }),
    run(root, {
      ...onNode,
      entryPoints: tools,
      external: ['vitest'],
      banner: { js: requireInModules },
      plugins: [shareValidators('./validators.js')],
    }),
    run(root, {
      ...onNode,
      ...inCommonJs,
      entryPoints: commonTools,
      plugins: [shareValidators('./validators.cjs')],
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
