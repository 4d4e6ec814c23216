import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Of each sealed test file, the digest of all that its outcome depends on. */
export type Seals = Readonly<Record<string, string>>;

/** Who loads it goes by a clock of its own, and comes to the same each time. */
const virtualClock = 'proof/virtual-clock.ts';

/**
 * The digests of those test files that go by the virtual clock: of their code, of all that it imports, and of the versions of
 * packages. Comments, types and layout are no part of it.
 */
export async function digests(root: string, files: readonly string[]): Promise<Seals> {
  const packages = await readFile(join(root, 'package-lock.json'), 'utf8');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...files],
    outdir: '.',
    outbase: '.',
    write: false,
    metafile: true,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const sealed = outputFiles.flatMap(({ path, text }): [string, string][] => {
    const { entryPoint, inputs } = metafile.outputs[path.slice(root.length).replaceAll('\\', '/')] ?? {};
    if (entryPoint === undefined || inputs === undefined || !(virtualClock in inputs)) return [];
    return [[entryPoint, createHash('sha256').update(packages).update(text).digest('hex').slice(0, 16)]];
  });
  return Object.fromEntries(sealed.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The files that passed with the same digest, but for one of five, drawn by `random`: these are tried again. */
export function leftOut(now: Seals, sealed: Seals, random: () => number): string[] {
  const known = Object.keys(now).filter((file) => sealed[file] === now[file]);
  const drawn = known.map((file) => ({ file, rank: random() })).sort((a, b) => a.rank - b.rank);
  return drawn.slice(Math.ceil(known.length / 5)).map(({ file }) => file);
}
