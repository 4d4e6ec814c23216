/** Bundles what the proof runs, and computes a digest of it. */

import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Bundle {
  /** The source of the worker as one module: it starts in a fifth of the time. */
  readonly worker: string;
  /** A digest of all code that the proof depends on, without comments, types and layout. */
  readonly digest: string;
  /** The imports of each module, by path. */
  readonly graph: Graph;
}

export type Graph = ReadonlyMap<string, readonly string[]>;

let made: Promise<Bundle> | undefined;

/** Bundles what the proof runs: suite, reference service and deviations, with their packages. Cached in the process. */
export function bundle(): Promise<Bundle> {
  made ??= make();
  return made;
}

async function make(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { worker: 'proof/worker.ts', markdown: 'proof/markdown.ts' },
    outdir: '.',
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    // CommonJS packages require Node's modules at run time.
    banner: {
      js: `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);`,
    },
  });
  const texts = outputFiles.map(({ text }) => text);
  const worker = outputFiles.find(({ path }) => path.endsWith('worker.js'))?.text ?? '';
  const graph = new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => [path, imports.map((one) => one.path)]),
  );
  return { worker, digest: sha256(texts.join('\n')), graph };
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
