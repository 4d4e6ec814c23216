import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compile } from './compile.js';
import { installed } from './installed.js';
import { run } from './process.js';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const { tarball, workshop } = await installed();

/** Runs wherever there is fetch: nothing of Node is declared. */
const caller = `
import { createWorkflowClient, type Execution, type ExecuteRequest, WorkflowError } from 'workflow-execution-contract';
import type { Handlers } from 'workflow-execution-contract/handlers';
import document from 'workflow-execution-contract/openapi.json' with { type: 'json' };
import type { components } from 'workflow-execution-contract/types';
import { responseValidator, schemas } from 'workflow-execution-contract/validators';

const id = '5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18';
const request: ExecuteRequest = { inputs: { month: '2026-02' }, profileId: id };
export const client = createWorkflowClient({ baseUrl: 'https://example.com', apiKey: 'key' });
export const execution: Execution = await client.run(id, request, { until: ['paused'] });
export const status: 'paused' | 'completed' | 'failed' | 'cancelled' = (
  await client.waitFor(id, { until: ['paused'] })
).status;
export const same: components['schemas']['Execution'] = execution;
export const version: string = document.openapi;
export const check = responseValidator('getExecution', 200);
export const name = (value: unknown): string => (schemas.AgentProfile(value) ? value.name : '');
export const handle: Handlers<null>['getExecution'] = async () => ({ status: 200, body: execution });
export const kind = (error: unknown) => error instanceof WorkflowError && error.kind === 'may-have-started';

const { raw } = client;
const workflow = { params: { path: { workflowId: id } } };
const profile = { params: { path: { profileId: id } } };
const read = await raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId: id } }, signal: null });
export const rawStatus: Execution['status'] | undefined = read.data?.status;
export const rawMessage: string | undefined = read.error?.message;
await raw.POST('/agents/v2/workflows/{workflowId}/execute', { ...workflow, body: { head: true, inputs: { a: 1 } } });
await raw.POST('/agents/v2/workflows/{workflowId}/execute/sync', { ...workflow, body: { timeoutSeconds: 5 } });
await raw.PATCH('/agents/v2/agent-profiles/{profileId}', { ...profile, body: { name: 'x' } });
await raw.POST('/agents/v2/agent-profiles/{profileId}/duplicate', profile);
raw.use({ onRequest: ({ request }) => request });

// @ts-expect-error head excludes version
await client.execute(id, { head: true, version: 3 });
// @ts-expect-error profileId excludes profileGroupId
await client.execute(id, { profileId: id, profileGroupId: id });
// @ts-expect-error no such state
await client.waitFor(id, { until: ['done'] });
// @ts-expect-error no such kind
export const wrong = (error: WorkflowError) => error.kind === 'oops';
`;

/** A program in CommonJS. */
const common = `
import contract = require('workflow-execution-contract');
import reference = require('workflow-execution-contract/reference');
import validators = require('workflow-execution-contract/validators');
import type { Handlers } from 'workflow-execution-contract/handlers';
import type { components } from 'workflow-execution-contract/types';

export type Handled = ReturnType<Handlers<null>['getExecution']>;
export type Shown = components['schemas']['Execution'];
const client = contract.createWorkflowClient({ baseUrl: 'https://example.com', apiKey: 'key' });
export const execution: Promise<contract.Execution> = client.getExecution('5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18');
export const check = validators.responseValidator('getExecution', 200);
export const service: Promise<reference.Reference> = reference.startReference({
  workflows: [{ id: 'c3a7e1d9-4b58-4e26-9f17-0d8b6a2c5e94', result: ({ inputs }) => inputs ?? null, statuses: ['starting'] }],
});
`;

/** Without `exports`. */
const older = `
import { createWorkflowClient, type Execution, WorkflowError } from 'workflow-execution-contract';

const id = '5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18';
const client = createWorkflowClient({ baseUrl: 'https://example.com', apiKey: 'key' });
export const execution: Promise<Execution> = client.run(id, { inputs: { month: '2026-02' } });
export const read = client.raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId: id } } });
export const status: Promise<Execution['status'] | undefined> = read.then(({ data }) => data?.status);
export const kind = (error: unknown) => error instanceof WorkflowError && error.kind === 'network';
// @ts-expect-error head excludes version
client.execute(id, { head: true, version: 3 });
`;

const tester = `
import { check, conclude, readTarget, type Report, writeReport } from 'workflow-execution-contract/conformance';
import { createReference, type Reference, startReference } from 'workflow-execution-contract/reference';
import { testConformance } from 'workflow-execution-contract/vitest';

export const reference: Reference = await startReference({ choices: { 'empty-update': 'refused' }, speed: 10 });
export const broken: readonly string[] = (await reference.judgeCallers()).broken.map(({ rule }) => rule);
export const sent: unknown = reference.requests[0]?.body;
export const response: Response = await createReference().fetch(new Request('http://reference.invalid/'));
testConformance('the reference', { target: () => reference.fixtures });
export const run = await check({ target: readTarget('target.yaml', process.env) });
export const { exitCode } = conclude(run, { today: '2026-11-20' });
export const text = (report: Report): string => writeReport('html', report);
// @ts-expect-error no such choice
await startReference({ choices: { 'empty-update': 'perhaps' } });
`;

const dom = ['es2023', 'dom'];
// Here TypeScript knows no import attributes.
const plain = { 'caller.ts': caller.replace(/ with \{.*\}/, ''), 'common.cts': common };
const settings = {
  'node16, without types of Node': {
    moduleResolution: 'node16',
    module: 'node16',
    lib: dom,
    types: [],
    sources: plain,
  },
  'node16, without a browser': {
    moduleResolution: 'node16',
    module: 'node16',
    lib: ['es2023'],
    types: ['node'],
    sources: plain,
  },
  // It reads no exports: only the client is found, by main and types.
  'node10, as many projects in CommonJS still have it': {
    moduleResolution: 'node10',
    module: 'commonjs',
    lib: dom,
    types: [],
    sources: { 'older.ts': older },
  },
  bundler: {
    moduleResolution: 'bundler',
    module: 'esnext',
    lib: dom,
    types: ['node'],
    sources: { 'caller.ts': caller, 'tester.ts': tester },
  },
};

test.each(Object.entries(settings))('the types work under %s, in every declaration', async (name, given) => {
  const { sources, ...how } = given;
  const folder = join(workshop, `types-${name.replaceAll(/\W+/g, '-')}`);
  await mkdir(folder);
  for (const [file, text] of Object.entries(sources)) await writeFile(join(folder, file), text);
  const options = { ...how, target: 'es2022', resolveJsonModule: true, strict: true, exactOptionalPropertyTypes: true };
  expect(compile(folder, Object.keys(sources), options)).toEqual([]);
});

test("no declaration imports another package's declaration within a type", async () => {
  // TypeScript 7 does not find it there where that package says `export =`.
  const folder = join(workshop, 'node_modules', 'workflow-execution-contract', 'dist', 'types');
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.d\.c?ts$/.test(file));
  expect(files).toContain(join('generated', 'client.d.cts'));
  const found = await Promise.all(
    files.map(async (file) => /import\("(?!\.)[^"]+"\)/.exec(await readFile(join(folder, file), 'utf8'))?.[0] ?? []),
  );
  expect(found.flat()).toEqual([]);
});

test('publint reports no problem', async () => {
  const publint = join(checkout, 'node_modules/publint/src/cli.js');
  const { code, stdout } = await run(checkout, process.execPath, [publint, 'run', tarball, '--strict']);
  expect(code, stdout).toBe(0);
});
