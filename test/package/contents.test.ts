import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { installed } from './installed.js';

const { consumer, tarball } = await installed();
const packages = join(consumer, 'node_modules');
const root = join(packages, 'workflow-execution-contract');
let files: Map<string, string>;

beforeAll(async () => {
  const names = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  files = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const)),
  );
});

test('the package installs only itself, openapi-fetch and its types', async () => {
  const found = (await readdir(packages)).filter((name) => !name.startsWith('.'));
  expect(found).toEqual(['openapi-fetch', 'openapi-typescript-helpers', 'workflow-execution-contract']);
});

test('the package has its code, its types, the contract, the flows and the guides', () => {
  const expected = [
    /^(CHANGELOG\.md|LICENSE|README\.md|package\.json)$/,
    /^docs\/(?:callers|check|ci|client|mock|recordings|reports|testing|trust)\.md$/,
    /^examples\/[\w-]+\.(?:mjs|py)$/,
    /^generated\/(?:docs\/[\w-]+\.md|openapi\.json)$/,
    /^openapi\/arazzo\/flows\.arazzo\.yaml$/,
    /^conformance\/suite\/target\/target\.schema\.json$/,
    /^conformance\/engine\/report\/report\.schema\.json$/,
    /^dist\/[\w-]+\.c?js$/,
    /^dist\/THIRD-PARTY-NOTICES\.txt$/,
    /^dist\/types\/(certify|client|common|conformance|deviations|generated|reference)\/[\w/-]+\.d\.c?ts$/,
  ];
  expect([...files.keys()].filter((name) => !expected.some((pattern) => pattern.test(name)))).toEqual([]);
  expect(expected.filter((pattern) => ![...files.keys()].some((name) => pattern.test(name)))).toEqual([]);
});

test('it is at most 1 MB', async () => {
  expect((await stat(tarball)).size).toBeLessThan(1_000_000);
});

test('no file contains the folder where it was built', () => {
  const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
  const traces = [checkout, homedir(), 'sourceMappingURL'];
  const telling = [...files].filter(([, text]) => traces.some((trace) => text.includes(trace)));
  expect(telling.map(([name]) => name)).toEqual([]);
});

test('the bundled packages are named with their licenses', () => {
  const [, ...notices] = files.get('dist/THIRD-PARTY-NOTICES.txt')?.split(/^-{80}$/m) ?? [];
  for (const notice of notices) expect(notice).toMatch(/permission|redistribution/i);
  expect(notices.map((notice) => notice.trim().split(' ')[0])).toEqual([
    '@hono/node-server',
    'ajv',
    'commander',
    'cross-spawn',
    'fast-deep-equal',
    'hono',
    'isexe',
    'luxon',
    'openapi-fetch',
    'path-key',
    'shebang-command',
    'shebang-regex',
    'stream-chain',
    'stream-json',
    'undici',
    'which',
    'yaml',
  ]);
});

test('the declarations import only packages that are installed with it', () => {
  const imported = [...files]
    .filter(([name]) => name.endsWith('.d.ts'))
    .flatMap(([, text]) => [...text.matchAll(/(?:from |import\()["']([^."'][^"']*)["']/g)].map(([, name]) => name));
  expect([...new Set(imported)]).toEqual(['openapi-fetch']);
});
