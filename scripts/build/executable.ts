/** Builds the single executable. */

import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { inject } from 'postject';
import { notices } from './notices.js';

const run = promisify(execFile);

/**
 * The marker by which Node knows that it carries a program: https://nodejs.org/api/single-executable-applications.html
 */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const isMac = process.platform === 'darwin';

/** Bundles the command as one CommonJS file, which single executables require. */
async function program(root: string): Promise<{ text: string; metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['cli/main.ts'],
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    write: false,
    metafile: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    // Locates files relative to the executable.
    define: { 'import.meta.url': 'placeOfExecutable' },
    banner: { js: `const placeOfExecutable = require('node:url').pathToFileURL(process.execPath).href;` },
  });
  return { text: outputFiles[0]?.text ?? '', metafile };
}

/**
 * Writes the command as a single executable for this platform, for users without Node: a copy of the running Node with
 * the command in it. Puts the licenses of all its parts beside it. Returns its path.
 */
export async function executable(root: string, folder: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'executable-'));
  const file = join(folder, process.platform === 'win32' ? 'workflow-contract.exe' : 'workflow-contract');
  try {
    const { text, metafile } = await program(root);
    const [main, output, config] = ['main.cjs', 'program.blob', 'config.json'].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(main, text);
    await writeFile(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
    await run(process.execPath, ['--experimental-sea-config', config]);

    await mkdir(folder, { recursive: true });
    await rm(file, { force: true });
    await copyFile(process.execPath, file);
    await chmod(file, 0o755);
    if (isMac) await run('codesign', ['--remove-signature', file]);
    await inject(file, 'NODE_SEA_BLOB', await readFile(output), {
      sentinelFuse: fuse,
      ...(isMac && { machoSegmentName: 'NODE_SEA' }),
    });
    if (isMac) await run('codesign', ['--sign', '-', file]);
    await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await notices(root, [metafile]));
    return file;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
