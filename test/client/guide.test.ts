import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { errorKinds } from '../../client/errors.js';
import { createWorkflowClient } from '../../client/index.js';
import { type Reference, startReference } from '../../reference/index.js';

const guide = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
// Those of other packages run where these are installed: test/package.
const snippets = [...guide.matchAll(/^```ts\n(.*?)^```/gms)]
  .map(([, code = '']) => code)
  .filter((code) => !/from '(@opentelemetry\/|undici)/.test(code));
const said: string[] = [];
let reference: Reference;

beforeAll(async () => {
  reference = await startReference({ speed: 20 });
  const { url, keys, fixtures: target } = reference;
  vi.stubEnv('WORKFLOW_URL', url);
  vi.stubEnv('WORKFLOW_API_KEY', keys.full);
  vi.stubGlobal('client', createWorkflowClient({ baseUrl: url, apiKey: keys.full }));
  vi.stubGlobal('workflowId', target.workflows.awaitsConfirmation);
  vi.stubGlobal('executionId', target.execution);
  vi.stubGlobal('profileId', target.profile);
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void said.push(words.join(' ')));
  }
});

afterAll(async () => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await reference.close();
});

/** Runs a snippet as a module of its own; what it takes as given stands in the global scope. */
async function run(snippet: string): Promise<string[]> {
  said.length = 0;
  const { outputFiles } = await build({
    stdin: { contents: snippet, loader: 'ts' },
    alias: { 'workflow-execution-contract': fileURLToPath(new URL('../../client/index.ts', import.meta.url)) },
    external: ['*/validators.js'],
    bundle: true,
    format: 'esm',
    write: false,
  });
  await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`);
  return [...said];
}

describe('the guide', () => {
  const expected = [
    /completed \[object Object\]/,
    /completed application\/json/,
    /^$/,
    /completed$/,
    /Confirm it here|^$/,
    /^$/,
    /^$/,
    /store that .* 2026-10 completed|2026-10/,
    /\[object Object\]/,
    /^invoices\.csv 32$/,
    /getExecution 200 true/,
    /200 \w+/,
  ];

  test('has a snippet for each expected output', () => {
    expect(snippets).toHaveLength(expected.length);
  });

  test.each(snippets.map((snippet, index) => [index + 1, snippet] as const))(
    'snippet %d runs',
    async (number, snippet) => {
      expect((await run(snippet)).join(' ')).toMatch(expected[number - 1] ?? /never/);
    },
  );

  test('lists every kind of error, and no other', () => {
    const [, table = ''] = /\| `kind` \|.*?\n(.*?)\n\n/s.exec(guide) ?? [];
    expect([...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind]) => kind)).toEqual([...errorKinds]);
  });
});
