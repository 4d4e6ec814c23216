/** Bundles what the proof runs. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type PluginBuild } from 'esbuild';
import { noting, withConditions } from './conditions.js';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Bundle {
  /** The source of the worker as one module: it starts in a fifth of the time. */
  readonly worker: string;
  /** The imports of each module, by path. */
  readonly graph: Graph;
}

export type Graph = ReadonlyMap<string, readonly string[]>;

const made = new Map<boolean, Promise<Bundle>>();

/** Bundles what the proof runs: suite, reference service and deviations, with their packages. Cached in the process. */
export function bundle(notesConditions = false): Promise<Bundle> {
  const known = made.get(notesConditions) ?? make(notesConditions);
  made.set(notesConditions, known);
  return known;
}

/** Notes the conditions of the suite. It reads each text again, for no case to have results of another. */
const setup = ({ onLoad }: PluginBuild): void => {
  let count = 0;
  onLoad({ filter: /[\\/]conformance[\\/].*\.ts$/ }, async ({ path }) => ({
    loader: 'ts',
    contents: withConditions((await readFile(path, 'utf8')).replace('made.set(text, now);', ''), () => ++count),
  }));
};

async function make(notesConditions: boolean): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['proof/worker.ts'],
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    // In Node 20 each object that a spread begins has a hidden class of its own, and is slow to read.
    supported: { 'object-rest-spread': false },
    format: 'esm',
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    // CommonJS packages require Node's modules at run time.
    banner: {
      js: `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);${notesConditions ? noting : ''}`,
    },
    plugins: notesConditions ? [{ name: 'conditions', setup }] : [],
  });
  const graph = new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => [path, imports.map((one) => one.path)]),
  );
  return { worker: outputFiles[0]?.text ?? '', graph };
}
