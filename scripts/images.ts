/** Makes the images of the guides. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { launchOptions } from './docs/chromium.js';
import { samplePage } from './docs/sample.js';
import { script } from './script.js';

interface Shot {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly theme: 'light' | 'dark';
  /** A link of the page to follow first. */
  readonly hash?: string;
}

/** The images of the guides. */
const shots: readonly Shot[] = [
  { file: 'report-light.png', width: 1280, height: 800, theme: 'light' },
  { file: 'report-dark.png', width: 1280, height: 800, theme: 'dark', hash: 'rules' },
  { file: 'report-violation.png', width: 1280, height: 900, theme: 'light', hash: 'rule-terminal-is-final' },
  { file: 'report-phone.png', width: 360, height: 780, theme: 'light' },
];

/** All widths that the page supports, in both themes and at several places, for those who change its style. */
const looks: readonly Shot[] = [360, 768, 1280, 2560].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    ['', 'rule-terminal-is-final', 'states', 'rules', 'exchanges'].map((hash) => ({
      file: `${width}-${theme}${hash && `-${hash}`}.png`,
      width,
      height: width < 700 ? 780 : 900,
      theme,
      hash,
    })),
  ),
);

async function take(browser: Browser, file: string, folder: string, { width, height, theme, hash, ...shot }: Shot) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, deviceScaleFactor: 1 });
  const page: Page = await context.newPage();
  await page.goto(`${pathToFileURL(file)}${hash ? `#${hash}` : ''}`);
  await page.screenshot({ path: join(folder, shot.file), animations: 'disabled' });
  await context.close();
}

/** Writes the images of docs/ from a sample report. `--look FOLDER` writes many more of them to a folder. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { look: { type: 'string' }, page: { type: 'string' } } });
  const folder = values.look ?? fileURLToPath(new URL('../docs/images', import.meta.url));
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'images-'));
  const browser = await chromium.launch(launchOptions());
  try {
    const file = values.page ?? join(scratch, 'report.html');
    if (values.page === undefined) await writeFile(file, await samplePage());
    const taken = values.look === undefined ? shots : looks;
    for (const shot of taken) await take(browser, file, folder, shot);
    console.log(`${folder}: ${taken.length} images`);
  } finally {
    await browser.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

await script('images', 'npm run images -- [--look FOLDER] [--page FILE]', main);
