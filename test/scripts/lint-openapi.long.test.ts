import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formats } from '../../scripts/generate/formats.js';
import { temporaryFolder } from '../support/folder.js';
import { contractCopy, repository, runScript } from './contract-copy.js';

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
    'an operationId that exists twice',
    ['paths/agent-profile.yaml', 'operationId: updateProfile', 'operationId: getExecution'],
    'operation-operationId-unique',
  ],
  [
    'a property without a description',
    ['schemas/Comment.yaml', '    description: Text of the comment.\n', ''],
    'The property `content` has no description.',
  ],
  [
    'a format that the validators do not support',
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
    ['responses/SimpleUnauthorized.yaml', 'UnauthorizedError.yaml', 'StandardError.yaml'],
    'The body of the error response 401 of getExecution must be SimpleError, or extend it by allOf, as of its others.',
  ],
  [
    'one error body where either is possible',
    ['responses/FilesNotFound.yaml', '../schemas/FilesError.yaml', '../schemas/SimpleError.yaml'],
    'The body of the error response 404 of listExecutionFiles must be FilesError, or extend it by allOf, as of its others.',
  ],
  [
    'a body that has no name',
    [
      'responses/SimpleNotFound.yaml',
      '$ref: ../schemas/NotFoundError.yaml',
      'anyOf: [{ $ref: ../schemas/NotFoundError.yaml }]',
    ],
    'responses/SimpleNotFound.yaml:5:7 at #/content/application~1json/schema\n\nGenerators would make up a name',
  ],
  [
    'items that have no name',
    [
      'schemas/StandardError.yaml',
      '$ref: ParameterError.yaml',
      'properties: { parameter: { type: string, description: Its name. } }',
    ],
    'schemas/StandardError.yaml:20:7 at #/properties/errors/items\n\nGenerators would make up a name',
  ],
  [
    'a flow that reads the answer of a step that does not exist',
    ['arazzo/flows.arazzo.yaml', 'profileId: $steps.duplicate.', 'profileId: $steps.copy.'],
    'Step "copy" referenced in runtime expression',
  ],
  [
    'a default that its schema does not allow',
    ['schemas/ExecuteRequest.yaml', 'default: reject', 'default: later'],
    'The default "later" is not valid here: it must be equal to one of the allowed values.',
  ],
  [
    'a default beyond a bound',
    ['schemas/ExecuteSyncRequest.yaml', 'default: 25', 'default: 26'],
    'The default 26 is not valid here: it must be <= 25.',
  ],
  [
    'a default that its referenced schema refuses',
    ['schemas/Execution.yaml', '$ref: ExecutionStatus.yaml', '$ref: ExecutionStatus.yaml\n    default: archived'],
    'The default "archived" is not valid here',
  ],
  [
    'several types',
    ['schemas/ScriptFailure.yaml', 'type: integer', 'type: [string, integer]'],
    'not string and integer. Write anyOf: [{type: string}, {type: integer}].',
  ],
  [
    'a tag that the document does not list',
    ['paths/execution-files.yaml', 'tags: [Executions]', 'tags: [Files]'],
    'operation-tag-defined',
  ],
  [
    'an enum with a value twice',
    ['schemas/ExecutionResult.yaml', 'enum: [success, failure]', 'enum: [success, failure, success]'],
    'no-duplicated-enum-values',
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

// Nothing else is looked at before.
test('a keyword without a value is found', async () => {
  const required = 'required: [id, executionId, content, public, userId, createdAt]';
  const { code, stderr } = await runScript(
    'lint-openapi',
    contractCopy(['schemas/Comment.yaml', required, 'required:']),
  );
  expect(code).toBe(1);
  expect(stderr).toContain('schemas/Comment.yaml:\n  required has nothing in it: fill it, or take it out');
});

test('leftovers are found: words of stubs, and links, steps, files and names of removed parts', async () => {
  const copy = contractCopy(
    ['schemas/Comment.yaml', 'Text of the comment.', 'To be written.'],
    ['links/files.yaml', 'operationId: listExecutionFiles', 'operationId: listFiles'],
    ['openapi.yaml', 'tags:\n', 'tags:\n  - name: Schedules\n    description: Gone.\n'],
    ['openapi.yaml', 'x-resources:\n', 'x-resources:\n  schedule: Gone.\n'],
    ['rules.yaml', 'sections:\n', 'sections:\n  POST schedules: Gone\n'],
    ['arazzo/flows.arazzo.yaml', 'operationId: getExecution', 'operationId: readExecution'],
    [
      'paths/execution-files.yaml',
      '            none:\n              $ref: ../examples/execution-files-none.yaml\n',
      '',
    ],
  );
  const { code, stderr } = await runScript('lint-openapi', copy);
  expect(code).toBe(1);
  expect(stderr.split('\n')).toEqual(
    expect.arrayContaining([
      'schemas/Comment.yaml has words of a stub: "To be written."',
      'examples/execution-files-none.yaml is used by nothing of the contract: delete it, or refer to it.',
      'the tag Schedules is used by nothing of the contract: delete it.',
      'the resource schedule is used by nothing of the contract: delete it.',
      'the section POST schedules is used by nothing of the contract: delete it.',
      'the link files of the answer 202 of execute leads to listFiles, which is no operation.',
      'the step startAndFollow.follow leads to readExecution, which is no operation.',
    ]),
  );
});

test('a moved path that is not listed yet is found', async () => {
  const copy = contractCopy(['paths/execute.yaml', 'x-path: /agents/v2/workflows/', 'x-path: /agents/v2/runs/']);
  const { code, stderr } = await runScript('lint-openapi', copy);
  expect(code).toBe(1);
  expect(stderr).toContain('does not list the paths as the files of paths/ are: npm run generate.');
});

test('a rule whose source is not a section of the interface is found', async () => {
  const copy = contractCopy(['rules.yaml', 'source: Endpoints,', 'source: Endponts,']);
  const { code, stderr } = await runScript('lint-openapi', copy);
  expect(code).toBe(1);
  expect(stderr).toContain('the source "Endponts" of');
});

test('a removed field is found in examples and flows that use it', async () => {
  const copy = contractCopy(
    ['schemas/ExecuteSyncRequest.yaml', 'timeoutSeconds:', 'timeoutS:'],
    ['paths/execute-sync.yaml', 'waits: timeoutSeconds', 'waits: timeoutS'],
    ['statements.yaml', '/properties/timeoutSeconds', '/properties/timeoutS'],
    ['statements.yaml', '/properties/timeoutSeconds', '/properties/timeoutS'],
    ['schemas/Comment.yaml', '  updatedAt:', '  editedAt:'],
  );
  const { code, stderr } = await runScript('lint-openapi', copy);
  expect(code).toBe(1);
  expect(stderr.trim().split('\n').sort()).toEqual([
    'the example execute-sync-request-wait of the request of executeSync has the field timeoutSeconds, which the contract does not name.',
    'the example execution-completed of the answer 200 of getExecution has the field comments.updatedAt, which the contract does not name.',
    'the step startSynchronously.start has the field timeoutSeconds, which the contract does not name.',
  ]);
});

test('a register that is not YAML is named, with the place', async () => {
  const copy = contractCopy(['rules.yaml', 'id: responses-are-json,', 'id: responses-are-json']);
  const { code, stderr } = await runScript('lint-openapi', copy);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\S+rules\.yaml: .*\(\d+:\d+\)\n.*responses-are-json/s);
});

test('the linter has the same formats as the validators', () => {
  const { oas3_1Rules: rules } = parse(readFileSync(join(repository, 'redocly.yaml'), 'utf8'));
  expect(rules['rule/format-is-known'].assertions.enum).toEqual(Object.keys(formats));
});

test('a folder without a contract is named', async () => {
  const folder = temporaryFolder();
  cpSync(join(repository, 'openapi/rules.yaml'), join(folder, 'rules.yaml'));
  const { stderr } = await runScript('lint-openapi', folder);
  expect(stderr).toMatch(/openapi\.yaml does not exist: name the folder of a contract/);
});
