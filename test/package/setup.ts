import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** What `npm pack` made. */
    readonly tarball: string;
    /** A folder in which it was installed, and nothing else. */
    readonly consumer: string;
    /** The same with what a consumer may have beside it: TypeScript, vitest, Prism. */
    readonly workshop: string;
  }
}

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const tools = ['typescript', '@types/node', 'vitest', '@stoplight/prism-cli'];

/** Packs the package as it would be published and installs it where nothing of the checkout can be found. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'package-'));
  await npm(checkout, 'pack', '--pack-destination', folder);
  const tarball = join(folder, (await readdir(folder)).find((file) => file.endsWith('.tgz')) ?? 'no tarball');

  const consumer = join(folder, 'consumer');
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{ "private": true, "type": "module" }\n');
  await npm(consumer, 'install', tarball, '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock');

  const workshop = join(folder, 'workshop');
  await cp(consumer, workshop, { recursive: true, verbatimSymlinks: true });
  for (const tool of tools) {
    const place = join(workshop, 'node_modules', tool);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(checkout, 'node_modules', tool), place);
  }

  provide('tarball', tarball);
  provide('consumer', consumer);
  provide('workshop', workshop);
  return () => rm(folder, { recursive: true, force: true });
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  // What npm tells a script of the package that it runs would make an npm within believe that it is there as well.
  const { npm_config_local_prefix: _, npm_package_json: __, INIT_CWD: ___, ...env } = process.env;
  await promisify(execFile)('npm', args, { cwd, env }).catch(({ stdout, stderr }) => {
    throw new Error(`npm ${args[0]} failed:\n${stdout}${stderr}`);
  });
}
