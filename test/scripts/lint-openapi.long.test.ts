import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formats } from '../../scripts/generate/formats.js';
import { contractCopy, repository, runScript, temporaryFolder } from './contract-copy.js';

test('the contract is in order', async () => {
  expect(await runScript('lint-openapi')).toEqual({
    code: 0,
    stdout: 'The contract and its register are in order.\n',
    stderr: '',
  });
});

const mistakes = [
  ['another version label', ['openapi.yaml', 'version: v1', 'version: v2'], "version-is-the-interface's-label"],
  [
    'an operationId in capitals',
    ['paths/execute.yaml', 'operationId: execute', 'operationId: Execute'],
    'operation-id-is-camel-case',
  ],
  [
    'an operationId that is taken',
    ['paths/agent-profile-pool.yaml', 'operationId: deletePool', 'operationId: getExecution'],
    'operation-operationId-unique',
  ],
  [
    'a property without a description',
    ['schemas/Comment.yaml', '    description: Text of the comment.\n', ''],
    'The property `content` has no description.',
  ],
  [
    'a format that the validators do not know',
    ['schemas/HumanLabel.yaml', 'format: uuid', 'format: guid'],
    'rule/format-is-known',
  ],
  [
    'a gap that the register does not have',
    ['schemas/Cookie.yaml', 'x-gap: cookie-id-sent', 'x-gap: [cookie-id-sent, cookie-monster]'],
    'no gap called `cookie-monster`',
  ],
  [
    'an example that is not valid',
    ['examples/simple-error-403.yaml', 'code: 403', 'code: 404'],
    'no-invalid-media-type-examples',
  ],
  [
    'content without an example',
    [
      'responses/StandardForbidden.yaml',
      '    examples:\n      forbidden:\n        $ref: ../examples/standard-error-forbidden.yaml\n',
      '',
    ],
    'content-has-named-examples',
  ],
  [
    'the wrong error body',
    ['responses/SimpleUnauthorized.yaml', '../schemas/SimpleError.yaml', '../schemas/StandardError.yaml'],
    'The body of the error response 401 of getExecution must be SimpleError, as of its others.',
  ],
  [
    'one error body where either is possible',
    ['responses/FilesNotFound.yaml', '../schemas/FilesError.yaml', '../schemas/SimpleError.yaml'],
    'The body of the error response 404 of listExecutionFiles must be FilesError, as of its others.',
  ],
  [
    'a flow that reads the answer of a step that does not exist',
    ['arazzo/flows.arazzo.yaml', 'profileId: $steps.duplicate.', 'profileId: $steps.copy.'],
    'Step "copy" referenced in runtime expression',
  ],
] as const;

describe('the linter', () => {
  const copy = contractCopy(...mistakes.map(([, edit]) => edit));
  let output: string;
  beforeAll(async () => {
    const { code, stderr } = await runScript('lint-openapi', copy);
    expect(code).toBe(1);
    output = stderr;
  });

  test.each(mistakes)('finds %s', (_name, _edit, message) => {
    expect(output).toContain(message);
  });
});

test('a rule whose source is no section of the interface is found', async () => {
  const copy = contractCopy(['rules.yaml', 'source: Endpoints,', 'source: Endponts,']);
  const { code, stderr } = await runScript('lint-openapi', copy);
  expect(code).toBe(1);
  expect(stderr).toContain('the source "Endponts" of');
});

test('a register that is no YAML is named, with the place', async () => {
  const copy = contractCopy(['rules.yaml', 'id: responses-are-json,', 'id: responses-are-json']);
  const { code, stderr } = await runScript('lint-openapi', copy);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\S+rules\.yaml: .*\(\d+:\d+\)\n.*responses-are-json/s);
});

test('the linter knows the formats that the validators know', () => {
  const { oas3_1Rules: rules } = parse(readFileSync(join(repository, 'redocly.yaml'), 'utf8'));
  expect(rules['rule/format-is-known'].assertions.enum).toEqual(Object.keys(formats));
});

test('what Redocly says beside what is wrong is left out', async () => {
  const folder = temporaryFolder();
  cpSync(join(repository, 'openapi/rules.yaml'), join(folder, 'rules.yaml'));
  const { stderr } = await runScript('lint-openapi', folder);
  expect(stderr).toMatch(/^redocly lint failed:\n.*openapi\.yaml does not exist/);
});
