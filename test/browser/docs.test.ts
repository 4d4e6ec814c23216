import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { operationIds, operations } from '../../generated/operations.js';
import { callers, gaps, rules } from '../../generated/rules.js';
import { openBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
let site: string;
let page: string;
let browser: Browser;
beforeAll(async () => {
  site = join(folder, 'site');
  const output = join(folder, 'contract.html');
  const script = fileURLToPath(new URL('../../scripts/docs.ts', import.meta.url));
  await promisify(execFile)(process.execPath, ['--import', 'tsx', script, '--output', output, '--site', site]);
  page = await readFile(output, 'utf8');
  browser = await openBrowser();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
afterAll(async () => {
  await browser?.close();
});

async function open(file: string, options: BrowserContextOptions = {}): Promise<{ tab: Page; complaints: string[] }> {
  const context = await browser.newContext(options);
  const tab = await context.newPage();
  const complaints: string[] = [];
  tab.on('console', (message) => complaints.push(message.text()));
  tab.on('pageerror', (error) => complaints.push(error.message));
  tab.on('request', (request) => {
    if (!/^(?:file|data):/.test(request.url())) complaints.push(request.url());
  });
  await tab.goto(pathToFileURL(join(folder, file)).href);
  return { tab, complaints };
}

/** The markup of the section of an operation. */
const sectionOf = (id: string): string => {
  const start = page.indexOf(`<section class="operation" id="operation-${id}"`);
  return page.slice(start, page.indexOf('</section>', start));
};

describe('the page of the contract', () => {
  it('has every operation with its own rules, each with an id that links lead to', () => {
    for (const id of operationIds) {
      const section = sectionOf(id);
      expect(section).toContain(`<b>${operations[id].method}</b> <code>${operations[id].path}</code>`);
      const own = [...rules, ...callers].filter(({ on }) => on.length < 7 && (on as readonly string[]).includes(id));
      expect(own.filter((rule) => !section.includes(`href="#rule-${rule.id}"`)).map(({ id }) => id)).toEqual([]);
    }
    for (const { id } of [...rules, ...callers]) expect(page.split(`id="rule-${id}"`)).toHaveLength(2);
  });

  it('has the gaps with the operations that they are gaps of, each once', () => {
    expect(sectionOf('execute')).toContain('id="gap-over-capacity-status"');
    expect(sectionOf('listExecutionFiles')).toContain('id="gap-file-created-by"');
    for (const { id } of gaps) expect(page.split(`id="gap-${id}"`)).toHaveLength(2);
  });

  it('links every x-gap of the document', () => {
    const named = [...JSON.stringify(document).matchAll(/"x-gap":("[\w-]+"|\[[^\]]*\])/g)].flatMap(
      ([, value = '""']) => [JSON.parse(value)].flat() as string[],
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((id) => !page.includes(`<a class="gap" href="#gap-${id}">${id}</a>`))).toEqual([]);
  });

  it('leads nowhere but to its own places, and loads and runs nothing', async () => {
    const { tab, complaints } = await open('contract.html', { javaScriptEnabled: false });
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((id) => !ids.has(id))).toEqual([]);
    expect(page.match(/<(?:script|img|iframe|svg|object)\b/g)).toBeNull();
    expect(await tab.locator('#operation-execute').innerText()).toContain('Start an execution and return at once');
    expect(complaints).toEqual([]);
  });
});

const widths = [360, 768, 1280, 2560];
const pages = ['contract.html', 'site/index.html', 'site/contract.html', 'site/client.html', 'site/proof.html'];
it.each(pages)('%s is never wider than its window, and axe objects to nothing in either theme', async (file) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { tab, complaints } = await open(file, { colorScheme });
    for (const width of widths) {
      await tab.setViewportSize({ width, height: 800 });
      expect(await tab.evaluate(() => globalThis.document.documentElement.scrollWidth)).toBe(width);
    }
    if (!file.endsWith('proof.html')) {
      await tab.evaluate(axe.source);
      const { violations } = await tab.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  }
});

describe('the site', () => {
  it('leads nowhere that is not there', async () => {
    const files = (await readdir(site, { recursive: true })).filter((file) => file.endsWith('.html'));
    expect(files).toEqual(
      expect.arrayContaining(['index.html', 'client.html', 'reports.html', 'contract.html', 'sample-report.html']),
    );
    const texts = new Map<string, string>();
    for (const file of files) texts.set(join(site, file), await readFile(join(site, file), 'utf8'));
    const dead: string[] = [];
    for (const [file, text] of texts) {
      if (file.endsWith('sample-report.html')) continue;
      for (const [, href = ''] of text.matchAll(/ href="((?!https?:|data:|mailto:)[^"]*)"/g)) {
        const [path = '', hash] = href.split('#');
        const target = path === '' ? file : resolve(dirname(file), path);
        const found = texts.get(target);
        if (found === undefined || (hash !== undefined && !found.includes(` id="${decodeURIComponent(hash)}"`)))
          dead.push(`${file.slice(site.length)}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
  });

  it('finds by keyboard, from a file, and leads to the place', async () => {
    const { tab, complaints } = await open('site/decisions/0010-bundle-dependencies.html');
    await tab.keyboard.press('/');
    await tab.keyboard.type('known failures baselne');
    await tab.locator('#found a').first().waitFor();
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await tab.waitForURL(/conformance\.html#known-failures-the-baseline$/);
    expect(complaints).toEqual([]);
  });

  it('has a sample report that is a report', async () => {
    const { tab, complaints } = await open('site/sample-report.html', {});
    expect(await tab.locator('h1').innerText()).toContain('Nonconformant');
    expect(await tab.locator('#violations .violation').count()).toBeGreaterThan(4);
    expect(await tab.locator('#exchanges').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('is read without scripts as well, and then offers no search', async () => {
    const { tab } = await open('site/index.html', { javaScriptEnabled: false });
    expect(await tab.locator('#search').isVisible()).toBe(false);
    expect(await tab.locator('main').innerText()).toContain('Call a service');
  });
});
