/** A real browser for tests: the one of the machine, or on a machine where that is allowed, Debian's. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of a Chromium that is there: CHROME_PATH, one on the PATH, or one in a usual place. */
function find(env: NodeJS.ProcessEnv): string | undefined {
  if (env.CHROME_PATH) return env.CHROME_PATH;
  const folders = (env.PATH ?? '').split(delimiter);
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs Debian's Chromium. Where several do so at once, apt lets one after the other. */
function install(): void {
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation');
}

/** Starts a headless Chromium; its caller closes it. Throws where there is none and none can be installed. */
export async function launchChromium(): Promise<Browser> {
  const root = process.getuid?.() === 0;
  if (find(process.env) === undefined && root && process.platform === 'linux') install();
  const executablePath = find(process.env);
  if (executablePath === undefined)
    throw new Error('The tests of pages need Chromium or Chrome: install one, or set CHROME_PATH to its executable.');
  // Chromium refuses its sandbox to root.
  return chromium.launch({ executablePath, chromiumSandbox: !root });
}
