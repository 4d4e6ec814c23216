import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type * as Cases from '../runtimes/cases.js';
import { cases } from '../runtimes/cases.js';
import { type Rig, startRig } from '../runtimes/rig.js';
import { openBrowser, test } from '../support/browser.js';
import { listen } from '../support/serve.js';

let rig: Rig;
let page: Page;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const started = await startRig({ tellsUnreachable: false, tellsRedirects: false, repeats: 'everything' });
  rig = started.rig;
  closing.push(started.close);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../runtimes/cases.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'runtime',
    platform: 'browser',
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  const site = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end(`<!doctype html><script>${script}</script>`),
  );
  const url = await listen(site);
  closing.push(() => site.close());
  const browser = await openBrowser();
  closing.push(() => browser.close());
  page = await browser.newPage();
  await page.goto(url);
});

afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

test.each(cases.map((one, index) => [one.name, index] as const))('in Chromium: %s', async (_, index) => {
  const failure = await page.evaluate(
    async ({ rig, index }) => {
      const { cases } = (globalThis as unknown as { runtime: typeof Cases }).runtime;
      return cases[index]?.run(rig).then(
        () => undefined,
        (error: unknown) => String(error),
      );
    },
    { rig, index },
  );
  if (failure !== undefined) throw new Error(failure);
});
