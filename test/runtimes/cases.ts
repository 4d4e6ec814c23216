/**
 * What the client does wherever there is fetch. Nothing of Node and of a test runner is in here: Node, Deno, Bun, workerd
 * and Chromium run it as it is, each against the same rig.
 */
import {
  createWorkflowClient,
  isTerminal,
  resultOf,
  type WorkflowClient,
  type WorkflowClientOptions,
  WorkflowError,
} from '../../client/index.js';
import { samples } from '../../generated/samples.js';
import type { Behaviour, Rig } from './rig.js';

export interface Case {
  readonly name: string;
  /** Rejects where the runtime does otherwise. */
  run(rig: Rig): Promise<void>;
}

export interface Outcome {
  readonly name: string;
  /** Absent where it passed. */
  readonly failure?: string;
}

const fast = { intervalMs: 5, maxIntervalMs: 20 };
const workflowId = '5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18';
const executionId = samples.Execution.full.id;

function equal(seen: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${b} was wanted, ${a} was seen`);
}

async function failing(promise: Promise<unknown>): Promise<WorkflowError> {
  const error = await promise.then(
    (value) => new Error(`It gave ${JSON.stringify(value)}.`),
    (reason: unknown) => reason,
  );
  if (error instanceof WorkflowError) return error;
  throw error;
}

const toReference = ({ reference }: Rig, options: Partial<WorkflowClientOptions> = {}): WorkflowClient =>
  createWorkflowClient({ baseUrl: reference.url, apiKey: reference.key, ...options });

/** To a server of the rig that does but one thing. */
const to = ({ hostile, reference }: Rig, behaviour: Behaviour, options: Partial<WorkflowClientOptions> = {}) =>
  createWorkflowClient({ baseUrl: `${hostile}/${behaviour}`, apiKey: reference.key, ...options });

/** The requests that such a server has got, those of the browser's own left out. */
async function received({ hostile }: Rig, behaviour: Behaviour): Promise<{ method: string; hasKey: boolean }[]> {
  return (await fetch(`${hostile}/ledger/${behaviour}`)).json();
}

export const cases: readonly Case[] = [
  {
    name: 'a workflow runs to its end, and has its result',
    async run(rig) {
      const execution = await toReference(rig).run(rig.reference.completes, { inputs: { month: '2026-10' } }, fast);
      equal(execution.status, 'completed', 'the status');
      equal(await resultOf(execution), { invoices: 2 }, 'the result');
    },
  },
  {
    name: 'an execution is followed through its states',
    async run(rig) {
      const client = toReference(rig);
      const { data, response } = await client.execute(rig.reference.completes).withResponse();
      equal([data.status, response.status], ['starting', 202], 'the start');
      let last = '';
      for await (const { status } of client.watch(data.executionId, fast)) last = status;
      equal(last, 'completed', 'the last state');
    },
  },
  {
    name: 'a synchronous start answers with the end',
    async run(rig) {
      const answer = await toReference(rig).executeSync(rig.reference.completes, { timeoutSeconds: 20 });
      equal(isTerminal(answer) && answer.status, 'completed', 'the status');
    },
  },
  {
    name: 'runAll runs each item once',
    async run(rig) {
      const items = Array.from({ length: 12 }, () => ({ workflowId: rig.reference.completes }));
      const ids = new Set<string>();
      for await (const { execution } of toReference(rig).runAll(items, { concurrency: 4, ...fast }))
        ids.add(execution?.id ?? '');
      equal(ids.size, 12, 'the executions');
    },
  },
  {
    name: 'files are downloaded unchanged',
    async run(rig) {
      const client = toReference(rig);
      const { id } = await client.run(rig.reference.writesFiles, {}, fast);
      const texts: string[] = [];
      for await (const { body } of client.downloadFiles(id, { directories: ['downloads'] }))
        texts.push(await new Response(body).text());
      equal(texts, ['number,total\n17,1200\n18,634.5\n'], 'the file');
    },
  },
  {
    name: 'a profile is updated and copied, and a missing pool cannot be deleted',
    async run(rig) {
      const client = toReference(rig);
      const { profile } = rig.reference;
      equal((await client.updateProfile(profile, { description: 'Tuned.' })).description, 'Tuned.', 'the update');
      equal((await client.duplicateProfile(profile)).description, 'Tuned.', 'the copy');
      equal((await failing(client.deletePool(executionId))).kind, 'not-found', 'the deletion');
    },
  },
  {
    name: 'a wrong key causes an error with the answer, and without the key',
    async run(rig) {
      const apiKey = 'a-key-that-is-wrong';
      const error = await failing(toReference(rig, { apiKey }).getExecution(rig.reference.execution));
      equal([error.kind, error.status, error.code, error.requestSent], ['unauthorized', 401, 401, true], 'the error');
      const shown = [String(error), error.stack, error.body, JSON.stringify(error)].join();
      equal(shown.includes(apiKey), false, 'the key is shown');
    },
  },
  {
    name: 'the key may come from a function, and hooks receive each request without it',
    async run(rig) {
      const seen: string[] = [];
      const client = toReference(rig, {
        apiKey: async () => rig.reference.key,
        onRequest: ({ headers }) => seen.push(JSON.stringify([...headers])),
        onResponse: ({ operation, status }) => seen.push(`${operation} ${status}`),
      });
      await client.getExecution(rig.reference.execution);
      equal(
        [seen.length, seen[1], seen.join().includes(rig.reference.key)],
        [2, 'getExecution 200', false],
        'the hooks',
      );
    },
  },
  {
    name: 'the raw client returns the answer',
    async run(rig) {
      const { data, response } = await toReference(rig).raw.GET('/agents/v2/executions/{executionId}', {
        params: { path: { executionId: rig.reference.execution } },
      });
      equal([data?.status, response.status], ['completed', 200], 'the answer');
    },
  },
  ...(['redirects-302', 'redirects-307'] as const).map((behaviour) => ({
    name: `a redirect (${behaviour}) causes an error, and the key is not sent elsewhere`,
    async run(rig: Rig) {
      const error = await failing(to(rig, behaviour).execute(workflowId));
      // Elsewhere it says that the start was made in another place, if at all; a browser does not tell which it is.
      const isKnown = rig.nature.tellsRedirects && behaviour === 'redirects-307';
      equal(error.kind, isKnown ? 'malformed-response' : 'may-have-started', 'the kind');
      equal(await received(rig, behaviour), [{ method: 'POST', hasKey: true }], 'the requests');
      equal(await received(rig, 'elsewhere'), [], 'the requests elsewhere');
    },
  })),
  ...(['refused', 'noSuchHost', 'forbiddenPort', 'untrusted', 'noTls'] as const).map((address) => ({
    name: `a start to an unreachable address (${address}) may have happened unless the runtime reports the reason`,
    async run(rig: Rig) {
      const client = createWorkflowClient({ baseUrl: rig.unreachable[address], apiKey: 'some-key', maxRetries: 0 });
      const error = await failing(client.execute(workflowId));
      // Those that do not tell why stay on the safe side.
      equal(
        [error.kind, error.requestSent],
        rig.nature.tellsUnreachable ? ['network', false] : ['may-have-started', true],
        error.message,
      );
      equal((await failing(client.getExecution(executionId))).kind, 'network', 'the kind of a reading');
    },
  })),
  {
    name: 'a change is sent once, also if a kept connection breaks',
    async run(rig) {
      const client = to(rig, 'breaks');
      const { repeats } = rig.nature;
      const profile = { params: { path: { profileId: workflowId } } };
      const calls: [name: string, call: () => PromiseLike<unknown>][] = [
        ['start', () => client.execute(workflowId)],
        ['copy by raw', () => client.raw.POST('/agents/v2/agent-profiles/{profileId}/duplicate', profile)],
        ['update', () => client.updateProfile(workflowId, { name: 'x' })],
        ['copy', () => client.duplicateProfile(workflowId)],
        ['deletion', () => client.deletePool(workflowId)],
      ];
      for (const [name, call] of calls) {
        // This leaves a connection to be used again.
        await failing(to(rig, 'page').getExecution(executionId));
        const before = (await received(rig, 'breaks')).length;
        const error = await Promise.resolve(call()).catch((reason: unknown) => reason);
        if (name === 'start')
          equal(error instanceof WorkflowError && error.kind, 'may-have-started', 'the kind of the error');
        if (repeats === 'nothing' || (repeats === 'deletions' && name !== 'deletion'))
          equal((await received(rig, 'breaks')).length - before, 1, `the requests of a ${name}`);
      }
    },
  },
  {
    name: 'a start without an answer in time may have started, and is sent once',
    async run(rig) {
      const error = await failing(to(rig, 'hangs').execute(workflowId, {}, { timeoutMs: 300 }));
      equal([error.kind, error.requestSent], ['may-have-started', true], error.message);
      equal((await received(rig, 'hangs')).length, 1, 'the requests');
    },
  },
  {
    name: 'a signal ends a call, and its reason is the cause',
    async run(rig) {
      const controller = new AbortController();
      const reason = new Error('The user went away.');
      const call = failing(to(rig, 'hangs').getExecution(executionId, { signal: controller.signal }));
      controller.abort(reason);
      const error = await call;
      equal([error.kind, error.cause === reason], ['aborted', true], 'the error');
    },
  },
  {
    name: 'a reading is repeated until the service returns',
    async run(rig) {
      const pauses: number[] = [];
      const client = to(rig, 'recovers', { onRetry: ({ delayMs }) => pauses.push(delayMs) });
      equal((await client.getExecution(executionId)).status, 'completed', 'the status');
      equal([pauses.length, (await received(rig, 'recovers')).length], [2, 3], 'the pauses and requests');
    },
  },
  {
    name: 'a page in place of an answer causes an error with the page',
    async run(rig) {
      const error = await failing(to(rig, 'page').getExecution(executionId));
      equal([error.kind, error.body], ['malformed-response', '<h1>Down</h1>'], error.message);
    },
  },
  {
    name: 'an endless answer is not read to its end',
    async run(rig) {
      const error = await failing(to(rig, 'endless', { maxResponseBytes: 100_000 }).getExecution(executionId));
      equal([error.kind, /maxResponseBytes/.test(error.message)], ['malformed-response', true], error.message);
    },
  },
  {
    name: 'a request that the interface forbids is not sent',
    async run(rig) {
      const client = to(rig, 'untouched');
      const tempFiles = [{ id: executionId, name: 'a.pdf' }];
      for (const call of [
        client.execute(workflowId, { onCapacityLimit: 'queue', tempFiles }),
        client.executeSync(workflowId, { timeoutSeconds: 26 }),
        client.execute(workflowId, { executionOptions: { softTimeoutMins: 0 } }),
        client.updateProfile(executionId, { name: '' }),
        client.getExecution('../..'),
      ])
        equal((await failing(call)).kind, 'invalid-request', 'the kind');
      equal(await received(rig, 'untouched'), [], 'the requests');
    },
  },
];

/** Runs them one after the other. */
export async function runAll(rig: Rig): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, run } of cases)
    outcomes.push(
      await run(rig).then(
        () => ({ name }),
        (error: unknown) => ({
          name,
          failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
        }),
      ),
    );
  return outcomes;
}
