import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Bundle {
  /** What runs cases in a process of its own, as one module: it starts in a fifth of the time of its sources. */
  readonly worker: string;
  /** Of all that the outcome of the proof depends on. Comments, types and layout are no part of it. */
  readonly digest: string;
  /** What each of its modules imports, by their paths. */
  readonly graph: Graph;
}

export type Graph = ReadonlyMap<string, readonly string[]>;

let made: Promise<Bundle> | undefined;

/** What the proof runs: suite, reference service and deviations, with the packages that they use. Made once a process. */
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
    // Packages in CommonJS ask for Node's modules when they run.
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
