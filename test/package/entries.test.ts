import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { installed } from './installed.js';
import { run } from './process.js';

const { consumer } = await installed();

const entries = {
  '': ['WorkflowError', 'createWorkflowClient', 'isApiTrigger', 'isTerminal', 'resultOf'],
  '/types': [],
  '/handlers': [],
  '/validators': ['requests', 'responseValidator', 'responses', 'schemas'],
  '/reference': [
    'choiceSets',
    'choices',
    'chooseFrom',
    'createReference',
    'faults',
    'findFault',
    'keys',
    'startReference',
  ],
  '/conformance': ['assemble', 'check', 'conclude', 'plan', 'readTarget', 'rules', 'toTarget', 'writeReport'],
  '/openapi.json': ['components', 'info', 'openapi', 'paths'],
  '/target.schema.json': ['properties'],
  '/report.schema.json': ['properties'],
  '/package.json': ['exports'],
};

const names = Object.keys(entries);

describe.each([
  [
    'import',
    (name: string) => `await import('${name}'${name.endsWith('.json') ? ", { with: { type: 'json' } }" : ''})`,
  ],
  ['require', (name: string) => `require('${name}')`],
])('%s', (how, load) => {
  test.each(names)('finds workflow-execution-contract%s', async (name) => {
    const script = `const found = ${load(`workflow-execution-contract${name}`)};
      process.stdout.write(JSON.stringify(Object.keys(found.default ?? found)));`;
    const type = how === 'import' ? 'module' : 'commonjs';
    const { stdout, stderr } = await run(consumer, process.execPath, [`--input-type=${type}`, '--eval', script]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining(entries[name as keyof typeof entries]));
  });
});

test('an error of the client is printed under its own name', async () => {
  const script = `const { createWorkflowClient } = await import('workflow-execution-contract');
    try { createWorkflowClient(); } catch (error) { console.log(error); }`;
  const { stdout } = await run(consumer, process.execPath, ['--input-type=module', '--eval', script]);
  expect(stdout).toMatch(/^WorkflowError: createWorkflowClient: /);
});

test('every entry has a test', async () => {
  const { default: manifest } = await import(join(consumer, 'node_modules/workflow-execution-contract/package.json'), {
    with: { type: 'json' },
  });
  const withVitest = Object.keys(manifest.exports).filter((name) => name !== './vitest');
  expect(withVitest.sort()).toEqual(names.map((name) => `.${name}`).sort());
});

test('an import of the client loads the client and openapi-fetch, the rest on use, and no validators', async () => {
  const { metafile } = await build({
    absWorkingDir: consumer,
    stdin: { contents: `export * from 'workflow-execution-contract';`, resolveDir: consumer },
    bundle: true,
    splitting: true,
    format: 'esm',
    // Nothing of Node can be found in a browser.
    platform: 'browser',
    outdir: 'out',
    write: false,
    metafile: true,
  });
  const loaded = (dynamic: boolean) =>
    Object.values(metafile.inputs)
      .flatMap(({ imports }) => imports.filter(({ kind }) => (kind === 'dynamic-import') === dynamic))
      .map(({ path }) => path.replace('node_modules/', ''));
  const packages = loaded(false).map((path) => path.replace(/\/dist\/.*/, ''));
  expect([...new Set(packages)].sort()).toEqual(['openapi-fetch', 'workflow-execution-contract']);
  expect(
    loaded(true)
      .map((path) => path.replace(/^.*dist\/|-\w+\.js$/g, ''))
      .sort(),
  ).toEqual(['deviation', 'files', 'raw', 'run-all']);
  expect([...loaded(false), ...loaded(true)].filter((path) => path.includes('validators'))).toEqual([]);
});
