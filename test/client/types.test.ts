import { describe, expectTypeOf, test } from 'vitest';
import type {
  AgentProfile,
  ExecuteRequest,
  Execution,
  ExecutionFiles,
  FinishedExecution,
  OperationId,
  StandardSchema,
  StartedExecution,
  UnfinishedExecution,
  WorkflowClient,
  WorkflowClientOptions,
  WorkflowErrorKind,
} from '../../client/index.js';
import { createWorkflowClient, isTerminal, resultOf, WorkflowError } from '../../client/index.js';

/** Compiled and never run: each line that must not compile says so, and the compiler objects if it does. */
const compiled = (_: (client: WorkflowClient) => unknown) => {};
const id = 'c3a7e1d9-4b58-4e26-9f17-0d8b6a2c5e94';

describe('types', () => {
  test('what excludes each other does not compile', () => {
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

  test('all that has a default may be left out', () => {
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

  test('timeoutSeconds is for executeSync alone', () => {
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

  test('results have names of our own', () => {
    expectTypeOf<WorkflowClient['execute']>().returns.resolves.toEqualTypeOf<StartedExecution>();
    expectTypeOf<WorkflowClient['executeSync']>().returns.resolves.toEqualTypeOf<
      FinishedExecution | UnfinishedExecution
    >();
    expectTypeOf<WorkflowClient['getExecution']>().returns.resolves.toEqualTypeOf<Execution>();
    expectTypeOf<WorkflowClient['listExecutionFiles']>().returns.resolves.toEqualTypeOf<ExecutionFiles>();
    expectTypeOf<WorkflowClient['updateProfile']>().returns.resolves.toEqualTypeOf<AgentProfile>();
    expectTypeOf<WorkflowClient['duplicateProfile']>().returns.resolves.toEqualTypeOf<AgentProfile>();
    expectTypeOf<WorkflowClient['deletePool']>().returns.resolves.toEqualTypeOf<void>();
  });

  test('there is a method for every operation', () => {
    expectTypeOf<OperationId>().toExtend<keyof WorkflowClient>();
  });

  test('a wait says which states can end it', () => {
    compiled(async (client) => {
      const ended = await client.run(id);
      expectTypeOf(ended.status).toEqualTypeOf<'completed' | 'failed' | 'cancelled'>();
      const stopped = await client.waitFor(id, { until: ['paused', 'awaiting_confirmation'] });
      expectTypeOf(stopped.status).toEqualTypeOf<
        'completed' | 'failed' | 'cancelled' | 'paused' | 'awaiting_confirmation'
      >();
      for await (const execution of client.watch(id)) expectTypeOf(execution).toEqualTypeOf<Execution>();
    });
  });

  test('an interface can be the inputs', () => {
    interface Invoice {
      supplier: string;
    }
    compiled((client) => client.execute(id, { inputs: {} as Invoice }));
  });

  test('isTerminal narrows what a synchronous start answers', () => {
    compiled(async (client) => {
      const answer = await client.executeSync(id);
      if (isTerminal(answer)) expectTypeOf(answer.status).toEqualTypeOf<'completed' | 'failed' | 'cancelled'>();
    });
  });

  test('a result is what its schema says', () => {
    compiled(async (client) => {
      const schema = {} as StandardSchema<{ total: number }>;
      expectTypeOf(await resultOf(await client.run(id), schema)).toEqualTypeOf<{ total: number }>();
      expectTypeOf(await resultOf(await client.run(id))).toEqualTypeOf<unknown>();
    });
  });

  test('what is undefined may be given, also where exact optional types are asked for', () => {
    compiled((client) => client.getExecution(id, { signal: undefined, timeoutMs: undefined }));
    compiled(() => createWorkflowClient({ baseUrl: id, apiKey: id, timeoutMs: undefined, retry: undefined }));
  });

  test('the kinds of error are a closed set', () => {
    expectTypeOf<WorkflowError['kind']>().toEqualTypeOf<WorkflowErrorKind>();
    expectTypeOf<'may-have-started'>().toExtend<WorkflowErrorKind>();
    expectTypeOf<string>().not.toExtend<WorkflowErrorKind>();
    // @ts-expect-error no such kind
    new WorkflowError('oops', '');
  });
});
