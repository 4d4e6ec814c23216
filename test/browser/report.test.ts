import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { compare } from '../../conformance/engine/report/compare.js';
import { writeReport } from '../../conformance/engine/report/index.js';
import { visible } from '../../conformance/engine/report/text.js';
import type { Report } from '../../conformance/engine/vocabulary/report.js';
import { openBrowser, test } from '../support/browser.js';
import { temporaryFolder } from '../support/folder.js';
import { callerVerdicts, hostile, sampleReport } from '../support/report.js';

const file = join(temporaryFolder(), 'report.html');
const tame: Report = { ...sampleReport(), callers: callerVerdicts };
const poisoned: Report = { ...sampleReport({ hostile: true }), reason: hostile, callers: callerVerdicts };

let browser: Browser;
let complaints: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
afterAll(async () => {
  await browser?.close();
});

/** Opens a report from disk, and keeps what the browser complains of and what it loads besides. */
async function open(report: Report, options: BrowserContextOptions & { hash?: string } = {}): Promise<Page> {
  writeFileSync(file, writeReport('html', { ...report, changes: compare(report, report) }));
  const page = await (await browser.newContext(options)).newPage();
  complaints = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
  });
  await page.goto(`${pathToFileURL(file)}${options.hash ?? ''}`);
  return page;
}

const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

test('a report opens from disk with its violations, and the rest closed', async () => {
  const page = await open(tame);
  expect(await page.title()).toBe('Nonconformant · https://staging.example.com');
  expect(await page.locator('.rule:visible').count()).toBe(5);
  expect(await page.locator('.exchange:visible').count()).toBe(0);
  expect(complaints).toEqual([]);
});

describe('hostile text', () => {
  test('has no effect, and is displayed with invisible characters made visible', async () => {
    const page = await open(poisoned);
    await openAll(page);
    expect(await page.title()).toBe('Nonconformant · https://staging.example.com');
    expect(await page.locator('script, iframe, img, object, embed, form, [onload], [onerror]').count()).toBe(0);
    expect(await page.locator('style, link, base').count()).toBe(2);
    const shown = (await page.locator('header, main').allTextContents()).join('');
    expect(shown).toContain(visible(hostile).slice(0, 150));
    expect(shown.replaceAll('\n', '').match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)).toBeNull();
    expect(complaints).toEqual([]);
  });

  test('would not run even if it got into the page as markup', async () => {
    const page = await open(tame);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        '</main>',
        '<img src="data:," onerror="document.title=1"><p style="color:red"><script>document.title=2</script></main>',
      ),
    );
    await page.reload();
    await expect.poll(() => complaints.length).toBeGreaterThan(2);
    expect(complaints.every((one) => /Content Security Policy/.test(one))).toBe(true);
    expect(await page.title()).toMatch(/^Nonconformant/);
  });
});

test('a link opens what it names: an exchange, a violation, a rule', async () => {
  const page = await open(tame, { hash: '#exchange-8' });
  const content = await page.locator('#exchange-8:visible').innerText();
  expect(content).toContain('POST https://staging.example.com/agents/v2/workflows/');
  expect(content).toContain('X-Api-Key: [redacted]');
  expect(content).toContain('"marker": "m-7"');
  expect(content).toContain('x-request-id: r-7');
  expect(content).toContain(tame.exchanges[7]?.curl ?? '');
  await page.click('#exchange-8 a');
  await page.locator('#rule-head-excludes-version:visible').waitFor();
  await page.goto(`${pathToFileURL(file)}#row-terminal-is-final`);
  await page.locator('#row-terminal-is-final:visible').waitFor();
});

test('a violation has its exchanges in the order of time, with states, and the command that repeats it', async () => {
  const rules = tame.rules.map((rule) => {
    const violations = rule.violations.map((one) => ({ ...one, exchanges: [46, 3, 10] }));
    return rule.id === 'execution-progresses' ? { ...rule, violations } : rule;
  });
  const options = { command: 'check --target target.yaml' };
  const page = await open({ ...tame, rules, options }, { hash: '#rule-execution-progresses' });
  const shown = (await page.locator('#rule-execution-progresses').innerText()).replaceAll(/\s+/g, ' ');
  expect(shown).toMatch(
    /Repeat check --target target\.yaml --again report\.json .*#3 0 ms POST .*starting 202, .*#10 .*#46 .*GET/,
  );
});

test('the keyboard reaches every part that scrolls', async () => {
  const page = await open(tame, { viewport: { width: 360, height: 800 } });
  await openAll(page);
  const stuck = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX))
      .filter((one) => one.tabIndex < 0)
      .map((one) => one.className),
  );
  expect(stuck).toEqual([]);
});

const recorded: Report = { ...tame, scenarios: [], recording: { baseUrls: ['https://a.example'], unrecorded: 3 } };

test.each([
  ['a run in light', tame, { colorScheme: 'light' }],
  ['recorded traffic in dark', recorded, { colorScheme: 'dark' }],
] as const)('axe finds no violations in a report of %s', async (_, report, options) => {
  // It looks at every element, so a few of each kind have to do.
  const rules = report.rules.filter(({ verdict }, index) => verdict !== 'passed' || index < 5);
  const gaps = report.gaps.slice(0, 5);
  const page = await open({ ...report, rules, gaps, exchanges: report.exchanges.slice(0, 20) }, options);
  await openAll(page);
  await page.evaluate(axe.source);
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test('a report is never wider than its window', async () => {
  const page = await open(poisoned);
  await openAll(page);
  for (const width of [2560, 1280, 768, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('a report has everything where its style is forbidden, as Jenkins does by default', async () => {
  const page = await browser.newPage();
  const headers = {
    'Content-Security-Policy': "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';",
  };
  const body = writeReport('html', tame);
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body }));
  await page.goto('http://jenkins.test/artifact/report.html#exchange-8');
  expect(await page.locator('#exchange-8').innerText()).toContain('curl -sS -i');
  await page.click('.rule > summary >> nth=0');
  expect(await page.locator('.rule .inside >> nth=0').innerText()).toContain('code 4040');
});
