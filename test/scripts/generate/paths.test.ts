import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refuseUnlisted, withPaths } from '../../../scripts/generate/paths.js';
import { contractCopy, repository } from '../contract-copy.js';

const listed = (sources: string): string[] => withPaths(sources).match(/(?<=^ {2})\/.*(?=:$)/gm) ?? [];
const usual = listed(join(repository, 'openapi'));

test('a new file is listed after the others, at its path, and a removed file is listed no more', () => {
  const sources = contractCopy();
  writeFileSync(join(sources, 'paths/a.yaml'), 'x-path: /agents/v2/executions/{executionId}/cancel\npost: {}\n');
  rmSync(join(sources, 'paths/execute-sync.yaml'));
  const without = usual.filter((path) => !path.endsWith('/execute/sync'));
  expect(listed(sources)).toEqual([...without, '/agents/v2/executions/{executionId}/cancel']);
  expect(() => refuseUnlisted(sources)).toThrow(/openapi.yaml does not list .*: npm run generate\.$/);
});

test('a path that moves stays where it was listed, and nothing else changes', () => {
  const sources = contractCopy(['paths/execution.yaml', 'x-path: /agents/v2/', 'x-path: /agents/v3/']);
  const before = readFileSync(join(sources, 'openapi.yaml'), 'utf8');
  expect(withPaths(sources)).toBe(
    before.replace('  /agents/v2/executions/{executionId}:', '  /agents/v3/executions/{executionId}:'),
  );
});

test.each([
  ['a file without a path', ['paths/execute.yaml', 'x-path:', 'x-road:'], 'paths/execute.yaml has no x-path'],
  [
    'two files with one path',
    ['paths/execute-sync.yaml', '/execute/sync', '/execute'],
    'paths/execute-sync.yaml and paths/execute.yaml have one x-path',
  ],
  ['a path in the list of paths', ['openapi.yaml', '    $ref: paths/execute.yaml', '    get: {}'], 'Give each a file'],
] as const)('%s is refused', (_, edit, why) => {
  const sources = contractCopy(edit);
  expect(() => withPaths(sources)).toThrow(why);
});
