import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type AgentProfile,
  type AgentProfileUpdate,
  createWorkflowClient,
  type DuplicateProfileRequest,
  type ExecuteRequest,
  type Execution,
  type ExecutionFile,
  type ExecutionFiles,
  type ExecutionIn,
  type FinishedExecution,
  isApiTrigger,
  isTerminal,
  type OperationId,
  resultOf,
  type StandardSchema,
  type StartedExecution,
  type TriggerApiKey,
  type UnfinishedExecution,
  type WorkflowClient,
  type WorkflowClientOptions,
  WorkflowError,
  type WorkflowErrorKind,
} from '../../client/index.js';
import type { PresentStart } from '../../client/requests.js';
import type { operations } from '../../generated/operations.js';
import type { TerminalExecutionStatus } from '../../generated/types.js';

/** Compiled and never run: each line that must not compile says so, and the compiler objects if it does. */
const compiled = (_: (client: WorkflowClient) => unknown) => {};
const id = 'c3a7e1d9-4b58-4e26-9f17-0d8b6a2c5e94';

/** The language service for a module beside this one. */
function serviceFor(text: string) {
  const file = fileURLToPath(new URL('./hovered.ts', import.meta.url));
  const options: ts.CompilerOptions = {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  };
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = name === file ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => fileURLToPath(new URL('.', import.meta.url)),
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
  return { service, file };
}

/** What the compiler reports of a module beside this one. */
function problems(text: string): string[] {
  const { service, file } = serviceFor(text);
  return service
    .getSemanticDiagnostics(file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** What an editor shows for each constant of a module beside this one. */
function hovers(text: string): Record<string, string> {
  const { service, file } = serviceFor(text);
  const names = [...text.matchAll(/const (\w+) =/g)];
  return Object.fromEntries(
    names.map(({ index, 1: name = '' }) => {
      const shown = ts.displayPartsToString(service.getQuickInfoAtPosition(file, index + 6)?.displayParts);
      return [name, shown.replace(`const ${name}: `, '')];
    }),
  );
}

describe('types', () => {
  test('fields that exclude each other do not compile', () => {
    compiled((client) => {
      for (const start of [client.execute, client.executeSync, client.run]) {
        // @ts-expect-error head excludes version
        start(id, { head: true, version: 1 });
        // @ts-expect-error profileId excludes profileGroupId
        start(id, { profileId: id, profileGroupId: id });
        start(id, { head: true, profileId: id });
        start(id, { version: 1, profileGroupId: id });
      }
    });
    // @ts-expect-error the same for a request that is built first
    const both: ExecuteRequest = { profileId: id, profileGroupId: id };
    expectTypeOf(both).toEqualTypeOf<ExecuteRequest>();
  });

  test('everything with a default is optional', () => {
    compiled((client) => {
      client.execute(id);
      client.executeSync(id);
      client.executeSync(id, {});
      client.run(id);
      client.duplicateProfile(id);
      client.execute(id, { inputs: { anything: [1, 'two', null] } });
    });
    expectTypeOf<{ baseUrl: string; apiKey: string }>().toExtend<WorkflowClientOptions>();
  });

  test('the fields of a request may be undefined', () => {
    compiled((client) => {
      const given: { version?: number; profileId?: string; inputs?: object } = {};
      const { head }: { head?: boolean | undefined } = {};
      for (const start of [client.execute, client.executeSync, client.run]) {
        start(id, given);
        start(id, { head, profileGroupId: given.profileId });
        // @ts-expect-error either may be there
        start(id, { ...given, head });
      }
    });
  });

  test('timeoutSeconds is for executeSync only', () => {
    compiled((client) => {
      client.executeSync(id, { timeoutSeconds: 5 });
      // @ts-expect-error execute does not wait
      client.execute(id, { timeoutSeconds: 5 });
      // @ts-expect-error run decides by itself
      client.run(id, { timeoutSeconds: 5 });
    });
  });

  test('a misspelt field or value does not compile', () => {
    compiled((client) => {
      // @ts-expect-error no such field
      client.execute(id, { input: {} });
      // @ts-expect-error no such value
      client.execute(id, { onCapacityLimit: 'wait' });
      // @ts-expect-error metadata are strings
      client.execute(id, { metadata: { order: 17 } });
      // @ts-expect-error no such state
      client.waitFor(id, { until: ['pause'] });
      // @ts-expect-error no such option
      client.waitFor(id, { timeout: 5 });
    });
    // @ts-expect-error no such option
    compiled(() => createWorkflowClient({ baseUrl: id, apiKey: id, key: id }));
  });

  test('results have named types', () => {
    expectTypeOf<WorkflowClient['execute']>().returns.resolves.toEqualTypeOf<StartedExecution>();
    expectTypeOf<WorkflowClient['executeSync']>().returns.resolves.toEqualTypeOf<
      FinishedExecution | UnfinishedExecution
    >();
    expectTypeOf<WorkflowClient['getExecution']>().returns.resolves.toEqualTypeOf<Execution>();
    expectTypeOf<WorkflowClient['listExecutionFiles']>().returns.resolves.toEqualTypeOf<ExecutionFiles>();
    expectTypeOf<WorkflowClient['updateProfile']>().returns.resolves.toEqualTypeOf<AgentProfile>();
    expectTypeOf<WorkflowClient['duplicateProfile']>().returns.resolves.toEqualTypeOf<AgentProfile>();
  });

  test('every operation has a method', () => {
    expectTypeOf<OperationId>().toExtend<keyof WorkflowClient>();
  });

  test('the type of a wait has the states that can end it', () => {
    compiled(async (client) => {
      const ended = await client.run(id);
      expectTypeOf(ended.status).toEqualTypeOf<TerminalExecutionStatus>();
      const stopped = await client.waitFor(id, { until: ['paused', 'awaiting_confirmation'] });
      expectTypeOf(stopped.status).toEqualTypeOf<TerminalExecutionStatus | 'paused' | 'awaiting_confirmation'>();
      for await (const execution of client.watch(id)) expectTypeOf(execution).toEqualTypeOf<Execution>();
    });
  });

  test('an interface can be the inputs', () => {
    interface Invoice {
      supplier: string;
    }
    compiled((client) => client.execute(id, { inputs: {} as Invoice }));
  });

  test('isTerminal narrows the answer of a synchronous start', () => {
    compiled(async (client) => {
      const answer = await client.executeSync(id);
      if (isTerminal(answer)) expectTypeOf(answer.status).toEqualTypeOf<TerminalExecutionStatus>();
    });
  });

  test('isApiTrigger narrows the trigger of an execution', () => {
    compiled(async (client) => {
      const { triggerContext } = await client.getExecution(id);
      if (isApiTrigger(triggerContext)) expectTypeOf(triggerContext.apiKey).toEqualTypeOf<TriggerApiKey | undefined>();
    });
    expect([{ source: 'api' }, { source: 'schedule' }, undefined].map(isApiTrigger)).toEqual([true, false, false]);
  });

  test('the files of a directory are typed when a loop goes through directories', () => {
    compiled(async (client) => {
      const { directories } = await client.listExecutionFiles(id);
      for (const [, files] of Object.entries(directories)) expectTypeOf(files).toEqualTypeOf<ExecutionFile[]>();
    });
  });

  test('an editor displays names', () => {
    const shown = hovers(`
      import { createWorkflowClient } from '../../client/index.js';
      const client = createWorkflowClient({ baseUrl: '', apiKey: '' });
      const execution = await client.getExecution('');
      const comments = execution.comments;
      const files = (await client.listExecutionFiles('')).directories.downloads;
      const started = await client.executeSync('');
      const profile = await client.duplicateProfile('');
      const trigger = execution.triggerContext;
      const start = client.execute;
    `);
    expect(shown).toEqual({
      client: 'WorkflowClient',
      execution: 'Execution',
      comments: 'Comment[]',
      files: 'ExecutionFile[]',
      started: 'FinishedExecution | UnfinishedExecution',
      profile: 'AgentProfile',
      trigger: 'TriggerContext | undefined',
      start: '(workflowId: string, request?: ExecuteRequest, options?: OptionsOf<"execute">) => Call<StartedExecution>',
    });
  });

  test('a comparison of the status narrows the result of a wait', () => {
    compiled(async (client) => {
      const ended = await client.waitFor(id, { until: ['paused'] });
      if (ended.status === 'completed') expectTypeOf(ended).toEqualTypeOf<ExecutionIn<'completed'>>();
      else expectTypeOf(ended).toEqualTypeOf<ExecutionIn<'failed' | 'cancelled' | 'paused'>>();
    });
  });

  test('the exported requests are the parameters of the methods', () => {
    expectTypeOf<WorkflowClient['updateProfile']>().parameter(1).toEqualTypeOf<AgentProfileUpdate>();
    expectTypeOf<WorkflowClient['duplicateProfile']>()
      .parameter(1)
      .toEqualTypeOf<DuplicateProfileRequest | undefined>();
    expectTypeOf<WorkflowClient['execute']>().parameter(1).toEqualTypeOf<ExecuteRequest | undefined>();
  });

  test.each([
    ['{ head: true, version: 1 }', 'version and head exclude each other'],
    ['{ profileId: id, profileGroupId: id }', 'profileId and profileGroupId exclude each other'],
  ])('the compiler names the rule that %s breaks', (request, rule) => {
    const text = `
      import { createWorkflowClient } from '../../client/index.js';
      const id = 'c3a7e1d9-4b58-4e26-9f17-0d8b6a2c5e94';
      createWorkflowClient({ baseUrl: '', apiKey: '' }).run(id, ${request});
    `;
    expect(problems(text).join()).toContain(rule);
  });

  test('a result has the type of its schema', () => {
    compiled(async (client) => {
      const schema = {} as StandardSchema<{ total: number }>;
      expectTypeOf(await resultOf(await client.run(id), schema)).toEqualTypeOf<{ total: number }>();
      expectTypeOf(await resultOf(await client.run(id))).toEqualTypeOf<unknown>();
      expectTypeOf(await resultOf(await client.executeSync(id), schema)).toEqualTypeOf<{ total: number }>();
      // @ts-expect-error without a schema nothing is known of it
      const total: number = await resultOf(await client.run(id));
      return total;
    });
  });

  test('undefined is accepted, also with exact optional types', () => {
    compiled((client) => client.getExecution(id, { signal: undefined, timeoutMs: undefined }));
    compiled((client) => {
      const perhaps = undefined as string | undefined;
      const executionOptions = { variantKey: perhaps, softTimeoutMins: undefined };
      client.run(id, { profileId: perhaps, profileGroupId: undefined, version: undefined, executionOptions });
      client.executeSync(id, { timeoutSeconds: undefined, metadata: undefined, inputs: undefined });
      client.updateProfile(id, { name: perhaps });
      client.duplicateProfile(id, { organizationId: perhaps });
      // @ts-expect-error null is no name
      client.updateProfile(id, { name: null });
    });
    compiled(() => createWorkflowClient({ baseUrl: id, apiKey: id, timeoutMs: undefined, maxRetries: undefined }));
  });

  test('the kinds of error are a closed set', () => {
    expectTypeOf<WorkflowError['kind']>().toEqualTypeOf<WorkflowErrorKind>();
    expectTypeOf<'may-have-started'>().toExtend<WorkflowErrorKind>();
    expectTypeOf<string>().not.toExtend<WorkflowErrorKind>();
    // @ts-expect-error no such kind
    new WorkflowError('oops', '');
  });
});

test('an editor displays a text for every field of errors, requests, options and fixtures', () => {
  const ofClient = [
    'WorkflowError',
    'ExecuteRequest',
    'ExecuteSyncRequest',
    'AgentProfileUpdate',
    'DuplicateProfileRequest',
  ];
  ofClient.push('WorkflowClientOptions', 'CallOptions', 'WaitOptions', 'DownloadOptions');
  const { service, file } = serviceFor(`
    import type { ${ofClient.join(', ')} } from '../../client/index.js';
    import type { Fixtures } from '../../reference/index.js';
    ${[...ofClient, 'Fixtures'].map((name) => `declare const of${name}: ${name};`).join('\n')}
  `);
  const program = service.getProgram();
  const checker = program?.getTypeChecker();
  const inherited = ['name', 'message', 'stack'];
  const fields = program
    ?.getSourceFile(file)
    ?.statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) =>
      declarationList.declarations.flatMap(({ name }) => {
        const own = checker?.getTypeAtLocation(name).getProperties() ?? [];
        expect(own.length, name.getText()).toBeGreaterThan(0);
        return own.filter((field) => !inherited.includes(field.name));
      }),
    );
  const silent = fields?.filter(
    (field) => field.getDocumentationComment(checker).length + field.getJsDocTags().length === 0,
  );
  expect(silent?.map(({ name }) => name)).toEqual([]);
});

test('code that reads a start uses present names only, so that a name that becomes deprecated does not compile', () => {
  type Old = keyof (typeof operations)['execute']['deprecatedFields'];
  expectTypeOf<Extract<keyof PresentStart, Old>>().toBeNever();
  expectTypeOf<Exclude<keyof ExecuteRequest, Old>>().toEqualTypeOf<keyof PresentStart>();
});
