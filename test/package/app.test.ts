/** An application on the packed package: a program, its service for tests and its bundle for browsers. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { installed } from './installed.js';
import { run } from './process.js';

const { consumer, tarball } = await installed();
const folder = join(consumer, '..', 'app');

/** The oldest version that docs/client.md names, and the newest. */
const compilers = { oldest: 'typescript@5.4.5', newest: 'typescript@latest' };
// No dependencies of the project: only this test asks for them.
const packages = [
  ...Object.entries(compilers).map(([name, version]) => `${name}@npm:${version}`),
  '@types/node@20.19.43',
  'node-fetch@2.7.0',
  '@types/node-fetch@2.6.13',
  'node-fetch3@npm:node-fetch@3.3.2',
  'cross-fetch@4.1.0',
  'undici@7.30.2',
];

const program = `
import crossFetch from 'cross-fetch';
import nodeFetch2 from 'node-fetch';
import nodeFetch3 from 'node-fetch3';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fetch as undiciFetch } from 'undici';
import { createWorkflowClient, type FetchInit, resultOf, type WorkflowClientOptions } from 'workflow-execution-contract';
import type { Handlers } from 'workflow-execution-contract/handlers';
import { createReference, startReference } from 'workflow-execution-contract/reference';
import type { components } from 'workflow-execution-contract/types';
import { responseValidator as validate } from 'workflow-execution-contract/validators';

export type Shown = components['schemas']['Execution'];
export type Handled = ReturnType<Handlers<null>['getExecution']>;

const fetches: Record<string, WorkflowClientOptions['fetch']> = {
  global: undefined,
  nodeFetch2,
  nodeFetch3,
  crossFetch,
  undiciFetch,
  own: (url: string, init: FetchInit) => fetch(url, init),
};
const id = '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';

/** Answers starts in one piece, in two, or compressed. */
const server = createServer(({ url = '' }, response) => {
  const body = JSON.stringify({ executionId: id, status: 'starting' });
  response.writeHead(202, { 'Content-Type': 'application/json', ...(url.includes('gzip') && { 'Content-Encoding': 'gzip' }) });
  if (url.includes('gzip')) return void response.end(gzipSync(body));
  if (!url.includes('chunked')) return void response.end(body);
  response.write(body.slice(0, 10));
  setTimeout(() => response.end(body.slice(10)), 5);
});

async function main(): Promise<void> {
  const reference = await startReference({ speed: 20 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const results: Record<string, unknown> = {};
  for (const [name, fetch] of Object.entries(fetches)) {
    const client = createWorkflowClient({ baseUrl: reference.url, apiKey: reference.keys.full, fetch, validate });
    const execution = await client.run(reference.fixtures.workflows.completes, {}, { intervalMs: 5 });
    const starts: string[] = [];
    for (const mode of ['plain', 'chunked', 'gzip']) {
      const starter = createWorkflowClient({ baseUrl: \`http://127.0.0.1:\${port}/\${mode}\`, apiKey: 'key', fetch });
      starts.push((await starter.execute(id)).status);
    }
    if (execution.status === 'completed') results[name] = [await resultOf(execution), ...starts];
  }
  const { fetch, fixtures, keys, close } = createReference();
  const client = createWorkflowClient({ baseUrl: fixtures.baseUrl, apiKey: keys.full, fetch });
  results.inProcess = (await client.getExecution(fixtures.execution)).status;
  await close();
  await reference.close();
  server.closeAllConnections();
  server.close();
  console.log(JSON.stringify(results));
}
void main();
`;

beforeAll(async () => {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  const { code, stderr } = await run(folder, 'npm', ['install', tarball, ...packages, ...options]);
  expect(code, stderr).toBe(0);
  for (const [module, type] of [
    ['nodenext', 'module'],
    ['commonjs', 'commonjs'],
  ] as const) {
    await mkdir(join(folder, module));
    await writeFile(join(folder, module, 'package.json'), JSON.stringify({ type }));
    await writeFile(join(folder, module, 'app.ts'), program);
    const compilerOptions = {
      module,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      esModuleInterop: true,
    };
    await writeFile(join(folder, module, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
  }
});

test.each(
  Object.keys(compilers).flatMap((compiler) => ['nodenext', 'commonjs'].map((module) => [compiler, module] as const)),
)('compiled by the %s TypeScript under %s, it calls the service with every fetch', async (compiler, module) => {
  const place = join(folder, module);
  const compiled = await run(place, process.execPath, [join('..', 'node_modules', compiler, 'bin', 'tsc'), '-p', '.']);
  expect(compiled.code, compiled.stdout).toBe(0);
  const { code, stdout, stderr } = await run(place, process.execPath, ['app.js']);
  expect(code, stderr).toBe(0);
  const each = [{ invoices: 2 }, 'starting', 'starting', 'starting'];
  expect(JSON.parse(stdout)).toEqual({
    global: each,
    nodeFetch2: each,
    nodeFetch3: each,
    crossFetch: each,
    undiciFetch: each,
    own: each,
    inProcess: 'completed',
  });
});
