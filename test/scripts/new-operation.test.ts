import { expect, test } from 'vitest';
import { operationStubs } from '../../scripts/new-operation/stubs.js';
import { repository } from './contract-copy.js';

const wanted = { id: 'listProfiles', like: 'updateProfile', path: '/agents/v2/agent-profiles', method: 'GET' };

test('the stub of an operation without an id is in the folder of its resource, and has a body only if it needs one', async () => {
  const written = await operationStubs(repository, wanted);
  expect(written.map(({ file }) => file)).toContain('conformance/suite/profiles/list-profiles.ts');
  const path = written.find(({ file }) => file === 'openapi/paths/list-profiles.yaml');
  expect(path?.text).toContain('get:\n  operationId: listProfiles');
  expect(path?.text).not.toContain('requestBody');
});

test('the stub of an operation that changes a resource has the request of the operation beside it', async () => {
  const written = await operationStubs(repository, { ...wanted, method: 'PUT' });
  expect(written.find(({ file }) => file === 'openapi/paths/list-profiles.yaml')?.text).toContain('requestBody');
});

test.each([
  ['ends', []],
  ['reads', ['conformance/suite/executions/cancel.ts', 'conformance/suite/scenarios.ts']],
])('for an operation that %s an execution the scenario is %j', async (effect, scenarios) => {
  const written = await operationStubs(repository, { id: 'cancel', like: 'getExecution', method: 'POST', effect });
  expect(written.map(({ file }) => file).filter((file) => file.startsWith('conformance/'))).toEqual(scenarios);
  expect(written.find(({ file }) => file === 'openapi/paths/cancel.yaml')?.text).toContain(`effect: ${effect},`);
});

test('for a resource with a name in the path, the rule about unknown ids is that of its id', async () => {
  const path = '/agents/v2/profile-names/{name}';
  const written = await operationStubs(repository, { ...wanted, id: 'getProfileByName', path, effect: 'reads' });
  const rules = written.find(({ file }) => file === 'openapi/rules.yaml')?.text;
  expect(rules).toMatch(/id: unknown-profile-is-404, .*on: \[getProfileByName, /);
  expect(written.map(({ file }) => file)).toContain('conformance/suite/profiles/get-profile-by-name.ts');
});

test('the stub of a new resource has its id, its own kind, and no rule of the other', async () => {
  const path = '/agents/v2/comments/{commentId}';
  const written = await operationStubs(repository, {
    ...{ id: 'deleteComment', like: 'getExecution', method: 'DELETE', effect: 'ends', path },
  });
  const text = (file: string) => written.find((one) => one.file === file)?.text;
  expect(text('openapi/paths/delete-comment.yaml')).toMatch(/commentId\.yaml\n/);
  expect(text('openapi/paths/delete-comment.yaml')).toContain('x-operation: {resource: comment, effect: ends');
  expect(text('openapi/parameters/commentId.yaml')).toContain('name: commentId\n');
  const files = written.map(({ file }) => file);
  expect(files.filter((file) => /rules\.yaml|executionId/.test(file))).toEqual([]);
});

test('the stub of an operation on an existing path is in its file, and has its resource', async () => {
  const path = '/agents/v2/agent-profiles/{profileId}';
  const getProfile = { id: 'getProfile', like: 'getExecution', path };
  const written = await operationStubs(repository, getProfile);
  const text = written.find(({ file }) => file === 'openapi/paths/agent-profile.yaml')?.text;
  expect(text).toMatch(
    /^x-path: [\s\S]*\npatch:\n[\s\S]*\nget:\n {2}operationId: getProfile\n {2}x-operation: \{resource: profile,/,
  );
  expect(text?.match(/^(?:x-path|parameters):/gm)).toHaveLength(2);
  await expect(operationStubs(repository, { ...getProfile, method: 'PATCH' })).rejects.toThrow(
    'openapi/paths/agent-profile.yaml has PATCH of this path already.',
  );
});

test('an unknown effect is refused', () =>
  expect(operationStubs(repository, { ...wanted, effect: 'end' })).rejects.toThrow(
    'end is no effect; there are reads, starts, changes, copies, ends.',
  ));
