import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { contractPage } from '../../scripts/docs/contract-page.js';
import { readDocument } from '../../scripts/docs/document.js';
import { test as it, openBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/folder.js';

const page = join(temporaryFolder(), 'contract.html');
let browser: Browser;
beforeAll(async () => {
  const document = await readDocument(fileURLToPath(new URL('../../generated/openapi.json', import.meta.url)));
  await writeFile(page, contractPage(document));
  browser = await openBrowser();
});
afterAll(() => browser?.close());

it.each(['light', 'dark'] as const)(
  'the page of the contract fits each window, passes axe and loads no other files in a %s theme',
  async (colorScheme) => {
    const context = await browser.newContext({ colorScheme });
    const tab = await context.newPage();
    const complaints: string[] = [];
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('request', (request) => complaints.push(request.url()));
    await tab.goto(pathToFileURL(page).href);
    for (const width of [360, 768, 1280, 2560]) {
      await tab.setViewportSize({ width, height: 800 });
      expect(await tab.evaluate(() => globalThis.document.documentElement.scrollWidth)).toBe(width);
    }
    await tab.evaluate(axe.source);
    const { violations } = await tab.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(complaints.filter((one) => one !== pathToFileURL(page).href && one !== 'data:,')).toEqual([]);
    await context.close();
  },
);
