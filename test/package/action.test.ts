import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/folder.js';
import { listen } from '../support/serve.js';
import { installed } from './installed.js';
import { run } from './process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { tarball } = await installed();

let folder: string;
let releases: Server;
let address: string;
let asked: string[];
beforeEach(async () => {
  folder = temporaryFolder();
  asked = [];
  releases = createServer(async ({ url = '' }, response) => {
    asked.push(url);
    const isThere = url === `/owner/contract/releases/download/v1/${basename(tarball)}`;
    response.writeHead(isThere ? 200 : 404).end(isThere ? await readFile(tarball) : '');
  });
  address = await listen(releases);
});
afterEach(async () => {
  releases.close();
});

async function install(env: Record<string, string>) {
  const begun = performance.now();
  const ended = await run(folder, join(root, 'scripts/action-install.sh'), [], {
    RUNNER_TEMP: folder,
    GITHUB_ACTION_PATH: root.replace(/\/$/, ''),
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_SERVER_URL: address,
    npm_config_prefer_offline: 'true',
    ...env,
  });
  const output = await readFile(join(folder, 'output'), 'utf8').catch(() => '');
  return { ...ended, ms: performance.now() - begun, command: /^command=(.*)$/m.exec(output)?.[1] ?? '' };
}

describe('the action installs', () => {
  test('the package of its own release, by its address, without the packages that it was built with', async () => {
    const { code, stderr, command } = await install({ ACTION_REPOSITORY: 'owner/contract', ACTION_REF: 'v1' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(asked).toEqual([`/owner/contract/releases/download/v1/${basename(tarball)}`]);
    expect(await run(folder, command, ['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
    const packages = (await readdir(join(dirname(command), '..'))).filter((name) => !name.startsWith('.'));
    expect(packages.sort()).toEqual(['openapi-fetch', 'openapi-typescript-helpers', manifest.name].sort());
  });

  test('the package file of its input, in the folder of the job', async () => {
    const { code, command } = await install({ INPUT_PACKAGE: tarball });
    expect(code).toBe(0);
    expect(await run(folder, command, ['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
    expect(asked).toEqual([]);
  });

  test('no other package if that of its input cannot be installed', async () => {
    const { code, stdout, command } = await install({ INPUT_PACKAGE: './nonesuch.tgz' });
    expect({ code, command }).toEqual({ code: 2, command: '' });
    expect(stdout).toContain('::error::./nonesuch.tgz cannot be installed.');
  });
});
