import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import type * as generatedOperations from '../../../generated/operations.js';
import type * as generatedValidators from '../../../generated/validators.js';
import { buildAll } from '../../../scripts/generate/build.js';
import { replaceFiles } from '../../../scripts/generate/files.js';
import { withPaths } from '../../../scripts/generate/paths.js';
import { temporaryFolder } from '../../support/folder.js';
import { contractCopy, repository } from '../contract-copy.js';

/** A list without an id, with a query. */
const list = `x-path: /agents/v2/executions
get:
  operationId: listExecutions
  summary: List executions
  x-operation: {resource: execution, effect: reads, essential: executions}
  security: [{apiKey: []}, {serviceAgentsApiKey: []}]
  parameters:
    - {name: pageToken, in: query, schema: {type: string}}
    - {name: limit, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 100}}
    - {name: status, in: query, schema: {type: array, items: {$ref: ../schemas/ExecutionStatus.yaml}}}
  responses:
    '200':
      description: A page of them.
      content:
        application/json:
          schema: {$ref: ../schemas/ExecutionPage.yaml}
          examples: {page: {value: {executions: [], nextPageToken: t}}}
    '400': {$ref: ../responses/SimpleBadRequest.yaml}
`;
const page = `
type: object
description: A page of executions.
required: [executions]
properties:
  executions: {type: array, items: {$ref: Execution.yaml}, description: Those of the page.}
  nextPageToken: {type: string, description: Asks for the next page.}
  total: {type: [string, number], description: How many there are.}
`;
/** An id of another thing, and answers without content. */
const file = `x-path: /agents/v2/files/{fileId}
parameters:
  - {name: fileId, in: path, required: true, schema: {type: string, format: uuid}}
get:
  operationId: readFile
  summary: Read a file
  x-operation: {resource: file, effect: reads}
  security: [{apiKey: []}]
  responses:
    '200':
      description: What is in it.
      content:
        application/json: {schema: {$ref: ../schemas/ExecutionFile.yaml}, examples: {file: {value: {}}}}
    '404': {$ref: ../responses/SimpleNotFound.yaml}
put:
  operationId: writeFile
  summary: Write a file
  x-operation: {resource: file, effect: changes}
  security: [{apiKey: []}]
  requestBody:
    required: true
    content:
      application/json: {schema: {$ref: ../schemas/TempFileReference.yaml}, examples: {file: {value: {id: x, name: y}}}}
  responses:
    '204': {description: It is written.}
    '202': {description: It will be written.}
    4XX: {$ref: ../responses/SimpleNotFound.yaml}
delete:
  operationId: deleteFile
  summary: Delete a file
  x-operation: {resource: file, effect: ends}
  security: [{apiKey: []}]
  parameters: [{name: ifSize, in: query, required: true, schema: {type: integer}}]
  responses:
    '204': {description: It is gone.}
    2XX:
      description: It will be gone.
      content:
        application/json: {schema: {$ref: ../schemas/ExecutionFile.yaml}, examples: {file: {value: {}}}}
    '404': {$ref: ../responses/SimpleNotFound.yaml}
`;

/** An array at the top. */
const comments = `x-path: /agents/v2/executions/{executionId}/comments
parameters: [{$ref: ../parameters/executionId.yaml}]
get:
  operationId: listComments
  summary: List comments
  x-operation: {resource: execution, effect: reads}
  security: [{apiKey: []}]
  responses:
    '200':
      description: All of them.
      content:
        application/json: {schema: {type: array, items: {$ref: ../schemas/Comment.yaml}}, examples: {none: {value: []}}}
    '404': {$ref: ../responses/SimpleNotFound.yaml}
`;

/** What compiles with the modules, and nothing of it where a type were looser or narrower. */
const uses = `
import type { WorkflowClient } from './client/index.js';
import { createContractClient } from './generated/client.js';
import type { Handlers } from './generated/handlers.js';
import { type OperationWith, operations } from './generated/operations.js';
import type { Comment, Execution, ExecutionPage } from './generated/types.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(value?: T) => value;

isTrue<Equal<ExecutionPage['total'], string | number | undefined>>();
isTrue<Equal<OperationWith<{ resource: 'file'; effect: 'ends' }>, 'deleteFile'>>();
isTrue<Equal<(typeof operations.readFile)['pathParameters'], readonly ['fileId']>>();

type Some = Pick<Handlers<null>, 'listExecutions' | 'writeFile' | 'deleteFile'>;
export const handlers: Some = {
  async listExecutions({ query: { limit, pageToken, status = [] } }) {
    isTrue<Equal<typeof limit, number>>();
    isTrue<Equal<typeof pageToken, string | undefined>>();
    isTrue<Equal<typeof status, Execution['status'][]>>();
    return { status: 200, body: { executions: [], nextPageToken: 't' } };
  },
  async writeFile({ fileId, body }) {
    return body.id === fileId ? { status: 204 } : { status: 202 };
  },
  // @ts-expect-error 204 has no body, and another success needs one
  async deleteFile() {
    return { status: 200 as const };
  },
};

export const calls = (client: WorkflowClient) => [
  client.listExecutions({ query: { limit: 3, status: ['running'] }, timeoutMs: 5 }),
  client.listExecutions({ query: { limit: 3 }, headers: { 'X-Own': 'b' } }),
  client.listExecutions({ query: { limit: 3 }, headers: new Headers() }),
  client.deleteFile('a', { query: { ifSize: 3 }, headers: { 'X-Own': 'b' } }),
  // @ts-expect-error ifSize is required
  client.deleteFile('a', { query: {} }),
  // @ts-expect-error so are the options
  client.deleteFile('a'),
  client.readFile('a'),
  client.writeFile('a', { id: 'x', name: 'y' }),
  // @ts-expect-error limit is required
  client.listExecutions(),
  // @ts-expect-error there is no such parameter
  client.listExecutions({ query: { limit: 3, size: 1 } }),
  // @ts-expect-error it has no parameters of the query
  client.readFile('a', { query: { limit: 3 } }),
  // @ts-expect-error bytes are not sent as JSON
  client.writeFile('a', new Uint8Array()),
  // @ts-expect-error it has an id
  client.readFile(),
];
isTrue<Equal<Awaited<ReturnType<WorkflowClient['listExecutions']>>, ExecutionPage>>();
isTrue<Equal<Awaited<ReturnType<WorkflowClient['deleteFile']>>, void>>();
isTrue<Equal<Awaited<ReturnType<WorkflowClient['listComments']>>, Comment[]>>();

const client = createContractClient({ baseUrl: 'https://example.com' });
export const page = client.GET('/agents/v2/executions', { params: { query: { limit: 3, status: ['running'] } } });
// @ts-expect-error limit is required
export const none = client.GET('/agents/v2/executions', { params: { query: {} } });
export const file = client.GET('/agents/v2/files/{fileId}', { params: { path: { fileId: 'b' } } });
`;

describe('a contract with possible future parts', () => {
  const folder = temporaryFolder();
  const generated = join(folder, 'generated');
  const load = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(generated, name)).href);

  beforeAll(async () => {
    const sources = contractCopy();
    writeFileSync(join(sources, 'paths/executions.yaml'), list);
    writeFileSync(join(sources, 'paths/file.yaml'), file);
    writeFileSync(join(sources, 'paths/comments.yaml'), comments);
    writeFileSync(join(sources, 'schemas/ExecutionPage.yaml'), page);
    writeFileSync(join(sources, 'openapi.yaml'), withPaths(sources));
    mkdirSync(generated);
    await replaceFiles(generated, (await buildAll(sources)).modules);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'uses.ts'), uses);
    for (const part of ['client', 'common']) cpSync(join(repository, part), join(folder, part), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  });

  test('generates modules that compile, with the types that it states', () => {
    const tsconfig = join(repository, 'tsconfig.json');
    const { config } = ts.readConfigFile(tsconfig, ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, folder, tsconfig);
    // Nothing there is of Node, whose types are as many as all others.
    const program = ts.createProgram([join(folder, 'uses.ts')], { ...options, types: [] });
    const found = program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(folder) && !fileName.includes('node_modules'))
      .flatMap((one) => [...program.getSemanticDiagnostics(one), ...program.getSyntacticDiagnostics(one)]);
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  test('describes its operations', async () => {
    const { operations }: { operations: Record<string, generatedOperations.Operation> } = await load('operations.ts');
    expect(operations.listExecutions).toMatchObject({
      pathParameters: [],
      queryParameters: [
        { name: 'pageToken', required: false, type: 'string', isList: false },
        { name: 'limit', required: true, type: 'integer', isList: false, sample: '1' },
        { name: 'status', required: false, type: 'string', isList: true },
      ],
      keyHeader: 'X-Api-Key',
      otherKeyHeaders: ['X-Service-Agents-Api-Key'],
      subject: null,
      essential: ['executions', 'array'],
      successes: { '200': { schema: 'ExecutionPage' } },
    });
    expect(operations.readFile).toMatchObject({
      pathParameters: ['fileId'],
      subject: 'file',
      essential: ['', 'object'],
      successes: { '200': { schema: 'ExecutionFile' } },
    });
    expect(operations.writeFile).toMatchObject({
      repeatable: true,
      requestTypes: ['application/json'],
      requestFields: ['id', 'name'],
      successes: { '204': { schema: null }, '202': { schema: null } },
    });
  });

  test('has client methods that send their arguments', async () => {
    const { createWorkflowClient } = await import(
      /* @vite-ignore */ pathToFileURL(join(folder, 'client/index.ts')).href
    );
    const sent: string[] = [];
    let page = '[]';
    const client = createWorkflowClient({
      baseUrl: 'https://example.com',
      apiKey: 'k',
      fetch: (url: string, { method, body }: RequestInit) => {
        sent.push(`${method} ${url.replace('https://example.com/agents/v2/', '')} ${body ?? ''}`.trim());
        if (url.endsWith('comments')) return Promise.resolve(new Response(page));
        return Promise.resolve(
          method === 'GET' ? Response.json({ executions: [] }) : new Response(null, { status: 204 }),
        );
      },
    });
    const [one, other] = ['9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813', '1f6b9d3c-8e42-47a5-a0c9-5b7e3d1f8a26'];
    const query = { limit: 3, status: ['running', 'paused'], pageToken: undefined };
    expect(await client.listExecutions({ query })).toEqual({ executions: [] });
    await client.writeFile(other, { id: one, name: 'a' });
    await client.deleteFile(other, { query: { ifSize: 3 } });
    expect(sent).toEqual([
      'GET executions?limit=3&status=running&status=paused',
      `PUT files/${other} {"id":"${one}","name":"a"}`,
      `DELETE files/${other}?ifSize=3`,
    ]);
    expect(await client.listComments(one)).toEqual([]);
    page = '{"status": "ok"}';
    await expect(client.listComments(one)).rejects.toThrow('the answer is not one of this operation');
    await expect(client.readFile()).rejects.toThrow('fileId must be a UUID, and is undefined');
  });

  test('validates parameters, and has no body validator for an answer without a body', async () => {
    const { parameters, responseValidator, schemas } = (await load('validators.js')) as unknown as {
      parameters: Record<string, Record<string, generatedValidators.Validator<unknown>>>;
      schemas: Record<string, generatedValidators.Validator<unknown>>;
      responseValidator: (operation: string, status: number) => unknown;
    };
    const { limit, status } = parameters.listExecutions ?? {};
    expect([0, 1, 100, 101, 'x'].map((value) => limit?.(value))).toEqual([false, true, true, false, false]);
    expect([['running'], ['walking']].map((value) => status?.(value))).toEqual([true, false]);
    expect([204, 404, 500].map((status) => responseValidator('deleteFile', status) === null)).toEqual([
      true,
      false,
      false,
    ]);
    expect(responseValidator('writeFile', 200)).toBeUndefined();
    expect(responseValidator('deleteFile', 200)).toBe(schemas.ExecutionFile);
    expect(['a', 1, true].map((total) => schemas.ExecutionPage?.({ executions: [], total }))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
