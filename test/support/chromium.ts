/** A real browser for tests: the one of the machine, or else one that is installed for them; started once for all. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of the tests can be had; empty where there is none. */
    readonly browser: string;
  }
}

const isRoot = process.getuid?.() === 0;

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of a Chromium that is there: CHROME_PATH, one on the PATH, in a usual place, or Playwright's. */
function find(env: NodeJS.ProcessEnv): string | undefined {
  if (env.CHROME_PATH) return env.CHROME_PATH;
  const folders = (env.PATH ?? '').split(delimiter);
  const known = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...known, ...elsewhere, chromium.executablePath()].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs Debian's Chromium. */
function fromDebian(): void {
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-qq', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation');
}

/** Downloads the build that Playwright brings along for the system; needs no rights, but the system's libraries. */
function fromPlaywright(): void {
  const command = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  execFileSync(process.execPath, [command, 'install', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Before the tests of pages: sees to it that there is a browser, since installing one takes longer than a test may. */
function provideOne(): void {
  const installs = isRoot && process.platform === 'linux' ? [fromDebian, fromPlaywright] : [fromPlaywright];
  for (const install of installs) {
    if (find(process.env) !== undefined) return;
    console.log('The tests of pages need a Chromium: installing one.');
    try {
      install();
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
}

/** Starts one headless Chromium for all tests of pages. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  provideOne();
  const executablePath = find(process.env);
  // Chromium refuses its sandbox to root.
  const server = executablePath && (await chromium.launchServer({ executablePath, chromiumSandbox: !isRoot }));
  provide('browser', server ? server.wsEndpoint() : '');
  return async () => {
    if (server) await server.close();
  };
}
