import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type * as Client from '../../client/index.js';
import type * as Validators from '../../generated/validators.js';
import { type Reference, startReference } from '../../reference/index.js';
import { answers, type Hostile, redirects, startHostile } from '../client/hostile.js';
import { openBrowser, test } from '../support/browser.js';

// The loader of this file rewrites import(), which a page has no use for: the page imports the client by itself.
const application = `<!doctype html><title>An application</title>
<script type="module">import * as client from '/client.js'; globalThis.client = client;
globalThis.load = () => import('/validators.js');</script>`;

let browser: Browser;
let site: Server;
let page: Page;
let loaded: string[];
const services: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  const files = await bundle();
  site = createServer((request, response) => {
    const script = files.get(basename(request.url ?? ''));
    response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
    response.end(script ?? application);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  browser = await openBrowser();
});

afterEach(async () => {
  await page.close();
  await Promise.all(services.splice(0).map((service) => service.close()));
});

afterAll(async () => {
  await browser?.close();
  site.closeAllConnections();
  site.close();
});

/** The client as a bundler leaves it, and the validators, which are an import of their own. */
async function bundle(): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints: {
      client: fileURLToPath(new URL('../../client/index.ts', import.meta.url)),
      validators: fileURLToPath(new URL('../../generated/validators.js', import.meta.url)),
    },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    outdir: 'site',
    write: false,
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}

/** A page of an origin of its own, in which the client can be imported. */
async function open(): Promise<Page> {
  page = await browser.newPage();
  loaded = [];
  page.on('request', (request) => void loaded.push(basename(new URL(request.url()).pathname)));
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/app`);
  return page;
}

async function serve(cors: boolean): Promise<Reference> {
  const reference = await startReference({ cors, speed: 20 });
  services.push(reference);
  return reference;
}

async function start(...args: Parameters<typeof startHostile>): Promise<Hostile> {
  const server = await startHostile(...args);
  services.push(server);
  return server;
}

interface Options {
  baseUrl: string;
  apiKey: string;
  validate?: boolean;
  retry?: number;
}

/** Runs a workflow in the page: the states that it goes through, or the error. */
const run = (options: Options, workflow: string) =>
  page.evaluate(
    async ({ options, workflow }) => {
      const { client: library, load } = globalThis as unknown as {
        client: typeof Client;
        load: () => Promise<typeof Validators>;
      };
      const { validate, ...rest } = options;
      const validator = validate ? (await load()).responseValidator : undefined;
      const client = library.createWorkflowClient({ ...rest, validate: validator });
      try {
        const seen: string[] = [];
        const { executionId } = await client.execute(workflow, { inputs: { month: '2026-10' } });
        for await (const { status } of client.watch(executionId, { intervalMs: 5 })) seen.push(status);
        const again = await client.run(workflow);
        return { last: seen.at(-1), again: again.status, outcome: again.executionResult?.outcome };
      } catch (error) {
        return { ...(error as Client.WorkflowError), message: (error as Error).message };
      }
    },
    { options, workflow },
  );

describe('in Chromium', () => {
  test('the bundled client runs a workflow to its end', async () => {
    const { url, keys, fixtures: target } = await serve(true);
    await open();
    const result = await run({ baseUrl: url, apiKey: keys.full }, target.workflows.completes);
    expect(result).toEqual({ last: 'completed', again: 'completed', outcome: 'success' });
    expect(loaded).toContain('client.js');
    expect(loaded.filter((file) => file.includes('validators'))).toEqual([]);
  });

  test('the validators are loaded when the caller uses them', async () => {
    const { url, keys, fixtures: target } = await serve(true);
    await open();
    const result = await run({ baseUrl: url, apiKey: keys.full, validate: true }, target.workflows.completes);
    expect(result).toMatchObject({ again: 'completed' });
    expect(loaded.filter((file) => file.includes('validators'))).toHaveLength(1);
  });

  test('a service that does not allow the page causes an error, and no start is repeated', async () => {
    const { url, keys, fixtures: target } = await serve(false);
    await open();
    const result = await run({ baseUrl: url, apiKey: keys.full }, target.workflows.completes);
    expect(result).toMatchObject({ kind: 'may-have-started', operation: 'execute' });
    expect(loaded.filter((path) => path === 'execute')).toHaveLength(1);
  });

  test('the key does not follow a redirect to another origin', async () => {
    const allowed = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Allow-Methods': '*',
    };
    const elsewhere = await start(answers(200, '{}', allowed));
    const server = await start((response, request) => {
      if (request.method === 'OPTIONS') return answers(204, '', allowed)(response, request);
      for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value);
      redirects(`${elsewhere.baseUrl}/stolen`)(response, request);
    });
    await open();
    const result = await run({ baseUrl: server.baseUrl, apiKey: 'secret' }, '5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18');
    expect(result).toMatchObject({ kind: 'may-have-started' });
    expect(server.requests.map(({ method }) => method)).toEqual(['OPTIONS', 'POST']);
    expect(elsewhere.requests).toEqual([]);
  });
});
