import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationIds, operations } from '../../generated/operations.js';
import { callers, gaps, rules } from '../../generated/rules.js';
import { openBrowser } from '../support/browser.js';

let folder: string;
let output: string;
let page: string;
/** The page without what its scripts and styles hold. */
let markup: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-test-'));
  output = join(folder, 'contract.html');
  const script = fileURLToPath(new URL('../../scripts/docs.ts', import.meta.url));
  await promisify(execFile)(process.execPath, ['--import', 'tsx', script, '--output', output]);
  page = await readFile(output, 'utf8');
  markup = page.replaceAll(/(<(script|style)\b[^>]*>).*?<\/\2>/gs, '$1');
});
afterAll(() => rm(folder, { recursive: true }));

it('is the page of the contract, complete before any script runs', () => {
  expect(markup).toContain('<title>Workflow execution service</title>');
  for (const id of operationIds) expect(page).toContain(operations[id].path);
  expect([...rules, ...gaps, ...callers].filter(({ id }) => !markup.includes(`>${id}<`))).toEqual([]);
});

it('refers to nothing that a browser would load', () => {
  const loaded = /<(?:script|img|iframe|source|embed)\b[^>]*\bsrc\s*=[^>]*>|<link\b[^>]*>|<object\b[^>]*>/gi;
  expect(markup.match(loaded)).toBeNull();
});

it('does not let its scripts load or report anything either', () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(markup)?.[1] ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).not.toMatch(/https?:|connect-src|\*/);
  expect(page).toContain('"disableTelemetry":true');
});

it('works in a browser, which is let to ask for nothing but the file', async () => {
  const browser = await openBrowser();
  try {
    const tab = await browser.newPage();
    const left: string[] = [];
    tab.on('requestfinished', (request) => left.push(request.url()));
    tab.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'csp') left.push(request.url());
    });
    await tab.goto(pathToFileURL(output).href);
    await tab.locator('a[href$="/executions"]').first().click();
    await tab.getByText('Start an execution and return at once').first().waitFor();
    expect(left.filter((url) => !/^(?:file|data|blob):/.test(url))).toEqual([]);
    expect(left).toContain(pathToFileURL(output).href);
  } finally {
    await browser.close();
  }
});
