import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
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
    /** The same with what a consumer may have beside it: TypeScript, vitest, Prism, undici. */
    readonly workshop: string;
    /** Where it shows how far that is. */
    readonly installation: string;
  }
}

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const tools = ['typescript', '@types/node', 'vitest', '@stoplight/prism-cli', 'undici'];

/**
 * Packs the package as it would be published and installs it where nothing of the checkout can be found, while other tests
 * run: those that need it wait for it (installed.ts).
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'package-'));
  const { name, version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'));
  const places = {
    tarball: join(folder, `${name}-${version}.tgz`),
    consumer: join(folder, 'consumer'),
    workshop: join(folder, 'workshop'),
  };
  for (const key of ['tarball', 'consumer', 'workshop'] as const) provide(key, places[key]);
  provide('installation', folder);
  const made = install(places).then(
    () => mkdir(join(folder, 'made')),
    async ({ message }: Error) => {
      await writeFile(join(folder, 'reason'), message);
      await rename(join(folder, 'reason'), join(folder, 'failed'));
    },
  );
  return async () => {
    await made;
    await rm(folder, { recursive: true, force: true });
  };
}

async function install({ tarball, consumer, workshop }: { tarball: string; consumer: string; workshop: string }) {
  await npm(checkout, 'pack', '--pack-destination', dirname(tarball));
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{ "private": true, "type": "module" }\n');
  await npm(consumer, 'install', tarball, '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock');

  await cp(consumer, workshop, { recursive: true, verbatimSymlinks: true });
  for (const tool of tools) {
    const place = join(workshop, 'node_modules', tool);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(checkout, 'node_modules', tool), place);
  }
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  // What npm tells a script of the package that it runs would make an npm within believe that it is there as well.
  const { npm_config_local_prefix: _, npm_package_json: __, INIT_CWD: ___, ...env } = process.env;
  await promisify(execFile)('npm', args, { cwd, env }).catch(({ stdout, stderr }) => {
    throw new Error(`npm ${args[0]} failed:\n${stdout}${stderr}`);
  });
}
