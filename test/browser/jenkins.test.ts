/** The report where Jenkins serves it: what docs/ci.md says of its policy, and the one that the guide puts in its place. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { writeReport } from '../../conformance/engine/report/index.js';
import { openBrowser, test } from '../support/browser.js';
import { sampleReport } from '../support/report.js';

const guide = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8');
const usual = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';";
const given = /DirectoryBrowserSupport\.CSP=([^"]+)"/.exec(guide)?.[1] ?? '';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

async function under(policy: string, use: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage();
  await page.route('**/*', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': policy },
      body: writeReport('html', sampleReport({ exchanges: 20 })),
    }),
  );
  await page.goto('http://jenkins.test/artifact/report.html');
  await use(page);
  await page.close();
}

const styles = (page: Page) => page.evaluate(() => document.styleSheets.length);
const listed = (page: Page) => page.locator('#exchange-list .exchange').count();

test('under the usual policy of Jenkins the report has the verdict and the violations, without layout and exchanges', () =>
  under(usual, async (page) => {
    await page.click('#rule-simple-error-code summary');
    const shown = await page.locator('body').innerText();
    for (const part of ['Nonconformant', '3 rules broken', 'code 4040', 'curl -sS -i']) expect(shown).toContain(part);
    expect([await listed(page), await styles(page)]).toEqual([0, 0]);
  }));

test('under the policy of the guide the report has the exchanges as well', () =>
  under(given, async (page) => {
    expect(await listed(page)).toBeGreaterThan(0);
    expect(await styles(page)).toBe(1);
  }));
