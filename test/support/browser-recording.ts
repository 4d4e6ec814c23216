/** Records a session with the reference service in a real browser. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { keys, type ReferenceOptions, startReference } from '../../deviations/index.js';
import { openBrowser } from './browser.js';
import { listen } from './serve.js';

/** The HAR file as text. It contains the key in its headers. */
export async function recordInBrowser(options: ReferenceOptions = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'));
  const reference = await startReference({ cors: true, speed: 10, ...options });
  const site = createServer((_, response) => response.end('<!doctype html><title>An application</title>'));
  const url = await listen(site);
  let browser: Browser | undefined;
  try {
    browser = await openBrowser();
    const path = join(folder, 'session.har');
    const context = await browser.newContext({ recordHar: { path, content: 'embed', mode: 'full' } });
    // tsx inserts calls of `__name` into functions; define it in the page.
    await context.addInitScript('globalThis.__name = (target) => target');
    const page = await context.newPage();
    await page.goto(url);
    await page.evaluate(session, { base: `${reference.url}/agents/v2`, key: keys.full, target: reference.fixtures });
    await context.close();
    return await readFile(path, 'utf8');
  } finally {
    await browser?.close();
    site.close();
    await reference.close();
    await rm(folder, { recursive: true });
  }
}

interface Session {
  readonly base: string;
  readonly key: string;
  readonly target: {
    readonly workflows: { readonly completes: string; readonly slow: string };
    readonly profile: string;
  };
}

/** Runs in the page. */
async function session({ base, key, target }: Session): Promise<void> {
  async function call(method: string, path: string, body?: unknown) {
    const header = /\/execute|\/files$/.test(path) ? 'X-Api-Key' : 'X-Service-Agents-Api-Key';
    const response = await fetch(base + path, {
      method,
      headers: { [header]: key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json().catch(() => ({}))) as { executionId?: string; status?: string };
  }
  async function follow(executionId: string | undefined) {
    for (let state = ''; !['completed', 'failed', 'cancelled'].includes(state); ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      state = (await call('GET', `/executions/${executionId}`)).status ?? 'failed';
    }
    await call('GET', `/executions/${executionId}/files`);
  }
  const start = { inputs: { question: 'größer?' }, metadata: { from: 'a browser' } };
  await follow((await call('POST', `/workflows/${target.workflows.completes}/execute`, start)).executionId);
  const sync = await call('POST', `/workflows/${target.workflows.slow}/execute/sync`, { ...start, timeoutSeconds: 1 });
  await follow(sync.executionId);
  await call('GET', '/executions/00000000-0000-4000-8000-000000000000');
  await call('PATCH', `/agent-profiles/${target.profile}`, { description: 'Seen in a browser' });
}
