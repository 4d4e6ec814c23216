import { writeFileSync } from 'node:fs';
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

const folder = temporaryFolder();
const tame = sampleReport({ exchanges: 480 });
const poisoned: Report = { ...sampleReport({ hostile: true }), reason: hostile, callers: callerVerdicts };

let browser: Browser;
let complaints: string[] = [];
let requests: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
afterAll(async () => {
  await browser?.close();
});

/** Opens a report from disk, and keeps what the browser complains of and asks for. */
async function open(report: Report, options: BrowserContextOptions & { hash?: string } = {}): Promise<Page> {
  const file = join(folder, 'report.html');
  writeFileSync(file, writeReport('html', { ...report, changes: compare(report, report) }));
  const context = await browser.newContext(options);
  const page = await context.newPage();
  complaints = [];
  requests = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`${pathToFileURL(file)}${options.hash ?? ''}`);
  return page;
}

const text = async (page: Page, selector: string) => (await page.locator(selector).first().innerText()).trim();

/** Opens every exchange, so that all that the target sent is in the document. */
async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const summary of document.querySelectorAll<HTMLElement>('details:not([open]) > summary')) summary.click();
  });
  await page.waitForFunction(() => document.querySelectorAll('.exchange[open] .content').length > 96);
}

test('a report opens from disk without the network and without errors in the console', async () => {
  const page = await open(tame);
  expect(await page.title()).toBe('Nonconformant · https://staging.example.com');
  expect(requests.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
  expect(complaints).toEqual([]);
});

describe('hostile text', () => {
  test('has no effect, wherever it stands', async () => {
    const page = await open(poisoned);
    const before = await page.locator('script, iframe, img, object, embed, style, link, base, form').count();
    await openAll(page);
    expect(await page.title()).toBe('Nonconformant · https://staging.example.com');
    expect(await page.locator('script, iframe, img, object, embed, style, link, base, form').count()).toBe(before);
    expect(await page.locator('[onload], [onerror]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('is displayed, with invisible characters made visible', async () => {
    const page = await open(poisoned);
    await openAll(page);
    const shown = (await page.locator('header, main').allTextContents()).join('');
    expect(shown).toContain(visible(hostile).slice(0, 150));
    expect(shown.replaceAll(/[\n\t]/g, '').match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)).toBeNull();
  });

  test('would not run even if it got into the page as markup', async () => {
    const page = await open(tame);
    await page.evaluate(() => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img src="data:," onerror="document.title=1"><p style="color:red" id="p">x',
      );
      const script = document.createElement('script');
      script.textContent = 'document.title = 2';
      document.body.append(script);
    });
    await expect.poll(() => complaints.length).toBeGreaterThan(1);
    expect(complaints.every((one) => /Content Security Policy/.test(one))).toBe(true);
    expect(await page.title()).toMatch(/^Nonconformant/);
  });
});

describe('an exchange', () => {
  test('is found by a link, on every page of the list and with every filter', async () => {
    const page = await open(tame);
    await page.click('#exchanges summary');
    await page.fill('#search', 'execute');
    await page.evaluate(() => {
      location.hash = '#exchange-351';
    });
    await page.locator('#exchange-351[open] .content').waitFor();
    expect(await page.evaluate(() => document.activeElement?.parentElement?.id)).toBe('exchange-351');
    expect(await text(page, '#range')).toBe('301 to 400 of 480');
  });

  test('is found when the report is loaded, and has its request, answer and curl line', async () => {
    const page = await open(tame, { hash: '#exchange-8' });
    const content = await text(page, '#exchange-8 .content');
    expect(content).toContain('POST https://staging.example.com/agents/v2/workflows/');
    expect(content).toContain('X-Api-Key: [redacted]');
    expect(content).toContain('"marker": "m-7"');
    expect(content).toContain('x-request-id: r-7');
    expect(content).toContain(tame.exchanges[7]?.curl ?? '');
  });

  test('is found by text: operation, answer, scenario', async () => {
    const page = await open(tame);
    await page.evaluate(() => {
      location.hash = '#exchanges';
    });
    const range = () => text(page, '#range');
    await page.fill('#search', 'capacity/ POST');
    expect(await range()).toBe('1 to 16 of 16');
    await page.fill('#search', 'capacity/ getExecution');
    expect(await range()).toBe('1 to 24 of 24');
    await page.fill('#search', 'getExecution');
    expect(await range()).toBe('1 to 100 of 288');
    await page.fill('#search', 'no such thing');
    expect(await range()).toBe('None of 0');
  });

  test('is on a page of the list, and the document never contains more than one page', async () => {
    const page = await open(sampleReport({ exchanges: 1000 }), { hash: '#exchanges' });
    await page.click('#next');
    expect(await text(page, '#range')).toBe('101 to 200 of 1,000');
    expect(await page.locator('#exchange-list > li').count()).toBe(100);
    expect(await page.locator('*').count()).toBeLessThan(10_000);
    expect(complaints).toEqual([]);
  });
});

describe('a long report', () => {
  test('opens with the violations, and with every other section closed, its count beside it', async () => {
    const page = await open(tame, { viewport: { width: 1280, height: 800 } });
    expect(await page.locator('main > section').first().getAttribute('id')).toBe('violations');
    expect(await page.locator('main details[open]').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3000);
    for (const line of await page.locator('main .fold > details > summary').all())
      expect(await line.innerText()).toMatch(/\S+.*\s[\d,]+$/s);
  });

  test('takes a search text from its address and puts a new search text there', async () => {
    const page = await open(tame, { hash: '#find=head%20broken' });
    expect(await page.locator('.violation:visible').count()).toBe(1);
    await page.fill('#search', 'code broken');
    expect(await page.evaluate(() => location.hash)).toBe('#find=code%20broken');
  });

  test('takes a search text that a reader typed in the address', async () => {
    const page = await open(tame, { hash: '#find=100%' });
    expect(await page.inputValue('#search')).toBe('100%');
  });

  test('opens the rule or row that a link names', async () => {
    const page = await open(tame, { hash: '#row-terminal-is-final' });
    await page.locator('#row-terminal-is-final details[open]').waitFor();
    await page.evaluate(() => {
      location.hash = '#rule-head-excludes-version';
    });
    await page.locator('#rule-head-excludes-version[open]').waitFor();
  });

  test('links an exchange to the rules that it is evidence for', async () => {
    const page = await open(tame, { hash: '#exchange-8' });
    await page.click('#exchange-8 .rules a');
    await page.locator('#rule-head-excludes-version[open]').waitFor();
  });

  test('opens within a second however many exchanges there are, because it contains only those that verdicts rest on', async () => {
    const many: Report = { ...tame, exchanges: Array.from({ length: 200 }, () => tame.exchanges).flat() };
    const numbered = many.exchanges.map((one, index) => ({ ...one, id: index + 1 }));
    const page = await open({ ...many, exchanges: numbered });
    const opened = await page.evaluate(() => {
      const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return load?.loadEventEnd;
    });
    expect(opened).toBeLessThan(1000);
    expect(await page.content()).toContain('more are in the JSON and HAR reports');
  });
});

test('a violation of a sequence is drawn over time: requests, answers, states and waits', async () => {
  const rules = tame.rules.map((rule) => {
    const violations = rule.violations.map((one) => ({ ...one, exchanges: [3, 10, 46] }));
    return rule.id === 'execution-progresses' ? { ...rule, violations } : rule;
  });
  const page = await open({ ...tame, rules }, { hash: '#rule-execution-progresses' });
  expect((await text(page, '.sequence')).replaceAll(/\s+/g, ' ')).toMatch(
    /^0 ms → POST .* ← 202 starting #3 \d.* later .* ← 202 .*#10 .* later .* → GET .* ← \d+.* #46$/,
  );
});

test('a curl line is copied without changes', async () => {
  const page = await open(poisoned, { permissions: ['clipboard-read', 'clipboard-write'] });
  const place = poisoned.exchanges.findIndex(({ curl }) => curl.includes("$'"));
  await page.evaluate((id) => {
    location.hash = `#exchange-${id}`;
  }, poisoned.exchanges[place]?.id);
  await page.locator('.exchanges .exchange[open] .copy').click();
  await expect.poll(() => text(page, '.exchanges .exchange[open] .copy')).toBe('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(poisoned.exchanges[place]?.curl);
});

describe('the keyboard', () => {
  test('skips to the report and opens an exchange', async () => {
    const page = await open(tame);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');

    await page.locator('#violations .violation > summary').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('#violations .exchange summary').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('#violations .exchange[open] .content').first().waitFor();
  });

  test('opens the search with /', async () => {
    const page = await open(tame);
    await page.keyboard.press('/');
    await page.keyboard.type('asked known');
    expect(await page.locator('.violation:visible').count()).toBe(1);
    expect(await page.locator('#rule-execution-is-the-one-asked-for:visible').count()).toBe(1);
    // Within the field it is a letter.
    await page.keyboard.type('/');
    expect(await page.inputValue('#search')).toBe('asked known/');
  });

  test('reaches every part that scrolls', async () => {
    const page = await open(tame, { viewport: { width: 360, height: 800 } });
    const stuck = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main *')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX))
        .filter((one) => one.tabIndex < 0)
        .map((one) => one.className),
    );
    expect(stuck).toEqual([]);
  });
});

/** What axe objects to. It looks at every element, so a few rules have to do for all. */
async function objections(report: Report, options: BrowserContextOptions & { hash?: string }, only?: string[]) {
  const rules = report.rules.filter(({ verdict }, index) => verdict !== 'passed' || index < 5);
  const gaps = report.gaps.slice(0, 5);
  const page = await open({ ...report, rules, gaps, exchanges: report.exchanges.slice(0, 20) }, options);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (runOnly) => (globalThis as unknown as { axe: typeof axe }).axe.run(runOnly ? { runOnly } : {}),
    only,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`);
}

const full: Report = { ...tame, callers: callerVerdicts };
const unusable: Report = {
  ...tame,
  verdict: 'unusable',
  reason: 'Nothing listens there.',
  rules: [],
  gaps: [],
  transitions: [],
  scenarios: [],
  exchanges: [],
  leftBehind: [],
};
const recorded: Report = { ...full, scenarios: [], recording: { baseUrls: ['https://a.example'], unrecorded: 3 } };

test.each<[string, Report, BrowserContextOptions, string[]?]>([
  ['in light', full, { colorScheme: 'light' }],
  ['in dark', full, { colorScheme: 'dark' }, ['color-contrast']],
  ['of an unusable target', unusable, {}],
  ['of recorded traffic', recorded, {}],
])('axe finds no violations in a report %s', async (_, report, options, only) => {
  expect(await objections(report, { ...options, hash: '#exchange-8' }, only)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a report is never wider than its window', async () => {
  const page = await open(poisoned);
  for (const width of [2560, 1280, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('a report has verdict, violations and gaps without scripts as well', async () => {
  const page = await open(tame, { javaScriptEnabled: false });
  const shown = await page.locator('body').innerText();
  for (const part of ['Nonconformant', '3 rules broken', 'code 4040']) expect(shown).toContain(part);
  // What is closed opens by itself.
  await page.click('#gaps summary');
  await page.click('#rule-simple-error-code summary');
  const opened = await page.locator('body').innerText();
  for (const part of ['curl -sS -i', 'Which state follows queued?']) expect(opened).toContain(part);
});
