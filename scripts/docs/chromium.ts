/** Finds a Chromium to show pages in: one on the machine, or one that it installs. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

const isRoot = process.getuid?.() === 0;

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of an installed Chromium: from CHROME_PATH, on the PATH, in a usual place, or Playwright's. */
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

/** Downloads Playwright's build. Needs no root rights, but libraries of the system. */
function fromPlaywright(): void {
  const command = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  execFileSync(process.execPath, [command, 'install', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Installs a browser if there is none. */
function provideOne(): void {
  const installs = isRoot && process.platform === 'linux' ? [fromDebian, fromPlaywright] : [fromPlaywright];
  for (const install of installs) {
    if (find(process.env) !== undefined) return;
    console.log('Pages are shown in a Chromium: installing one.');
    try {
      install();
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
}

/** The options to start the browser. Without `executablePath` there is none. */
export function launchOptions(): { executablePath?: string; chromiumSandbox: boolean } {
  provideOne();
  const executablePath = find(process.env);
  // Chromium refuses its sandbox to root.
  return { ...(executablePath !== undefined && { executablePath }), chromiumSandbox: !isRoot };
}
