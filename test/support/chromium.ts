/** Starts one real browser of the machine for all tests. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The WebSocket address of the browser; empty if there is none. */
    readonly browser: string;
  }
}

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of an installed Chromium: from CHROME_PATH, on the PATH, in a usual place, or Playwright's. */
function find({ CHROME_PATH, PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  if (CHROME_PATH) return CHROME_PATH;
  const known = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
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

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const executablePath = find(process.env);
  if (executablePath === undefined)
    console.warn(
      'The tests of pages (test/browser) are skipped: they need Chromium or Chrome. Install one (npx playwright-core install chromium), or set CHROME_PATH to its executable.',
    );
  // Chromium refuses its sandbox to root.
  const chromiumSandbox = process.getuid?.() !== 0;
  const server =
    executablePath === undefined ? undefined : await chromium.launchServer({ executablePath, chromiumSandbox });
  provide('browser', server ? server.wsEndpoint() : '');
  return async () => {
    await server?.close();
  };
}
