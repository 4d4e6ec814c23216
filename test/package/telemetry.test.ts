import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Reference, startReference } from '../../certify/double.js';
import { compile } from './compile.js';
import { installed } from './installed.js';
import { run } from './process.js';
import { readPages } from './snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { consumer, tarball } = await installed();
const folder = join(consumer, '..', 'telemetry');
// No dependencies of the project: only this test asks for them.
const packages = ['@opentelemetry/api@1.9.0', '@opentelemetry/sdk-trace-node@2.12.0'];

/** Around what the guide shows: it exports to memory, and says what was exported. */
const before = `
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const { workflowId } = process.env;
`;
const after = `
// The first answer of a gateway that is not there yet.
let readings = 0;
const shaky = createWorkflowClient({
  baseUrl: process.env.WORKFLOW_URL,
  apiKey: process.env.WORKFLOW_API_KEY,
  ...traced,
  fetch: (url, init) => (readings++ ? fetch(url, init) : Promise.resolve(new Response('Soon.', { status: 503 }))),
});
await tracer.startActiveSpan('shaky', async (span) => {
  await shaky.getExecution(process.env.executionId);
  span.end();
});
const shown = (span) => {
  const { spanId: id, traceId: trace } = span.spanContext();
  const { name, attributes, events, status, parentSpanContext } = span;
  return { name, attributes, events, status, parent: parentSpanContext?.spanId, id, trace };
};
console.log(JSON.stringify(exporter.getFinishedSpans().map(shown)));
`;

interface Span {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code: number; readonly message?: string };
  readonly parent?: string;
  readonly id: string;
  readonly trace: string;
}

let snippet: string;
let said: string;
let spans: readonly Span[];
let requests: Reference['requests'];

beforeAll(async () => {
  const guide = (await readPages(root)).find(({ name }) => name === 'client')?.snippets ?? [];
  snippet = guide.find(({ text }) => text.includes('@opentelemetry/'))?.text ?? '';
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock'];
  const made = await run(folder, 'npm', ['install', tarball, ...packages, ...options]);
  expect(made.code, made.stderr).toBe(0);
  const { code } = await transform(before + snippet + after, { loader: 'ts' });
  await writeFile(join(folder, 'traced.js'), code);

  const reference = await startReference({ speed: 20 });
  const { url, keys, fixtures } = reference;
  const env = {
    WORKFLOW_URL: url,
    WORKFLOW_API_KEY: keys.full,
    workflowId: fixtures.workflows.completes,
    executionId: fixtures.execution,
  };
  const ran = await run(folder, process.execPath, ['traced.js'], env);
  await reference.close();
  expect(ran.code, ran.stderr).toBe(0);
  said = ran.stdout;
  requests = reference.requests;
  spans = JSON.parse(said.split('\n')[1] ?? '');
});

describe('the OpenTelemetry hooks of the guide', () => {
  test('compile', async () => {
    await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
    await symlink(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
    await writeFile(join(folder, 'traced.ts'), `declare const workflowId: string;\n${snippet}`);
    const options = { strict: true, target: 'es2022', module: 'nodenext', types: ['node'], skipLibCheck: true };
    expect(compile(folder, ['traced.ts'], { ...options, exactOptionalPropertyTypes: true })).toEqual([]);
  });

  test('make a span of each request, below that of the caller, and send its id to the service', () => {
    expect(said).toMatch(/^completed true\n/);
    const parent = spans.find(({ name }) => name === 'collect the invoices');
    const called = spans.filter((span) => span.parent === parent?.id);
    const [first, ...others] = called.map(({ name }) => name);
    expect(first).toBe('execute');
    expect(new Set(others)).toEqual(new Set(['getExecution']));
    expect(called[0]?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.request.resend_count': 0,
      'http.response.status_code': 202,
    });
    expect(requests.slice(0, called.length).map(({ headers }) => headers.traceparent)).toEqual(
      called.map(({ id, trace }) => `00-${trace}-${id}-01`),
    );
    expect(said).not.toContain('reference-key');
  });

  test('record an error, and a pause before the next attempt', () => {
    const parent = spans.find(({ name }) => name === 'shaky');
    const [failed, repeated] = spans.filter((span) => span.parent === parent?.id);
    expect(failed).toMatchObject({
      status: { code: 2, message: expect.stringContaining('HTTP 503') },
      attributes: { 'error.type': 'intermediary', 'http.response.status_code': 503 },
    });
    expect(repeated?.attributes).toMatchObject({
      'http.request.resend_count': 1,
      'http.response.status_code': 200,
    });
    expect(parent?.events).toMatchObject([{ name: 'retry', attributes: { operation: 'getExecution' } }]);
  });
});
