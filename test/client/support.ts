import {
  createWorkflowClient,
  type WorkflowClient,
  WorkflowError,
  type WorkflowErrorKind,
} from '../../client/index.js';
import type { WorkflowClientOptions } from '../../client/options.js';
import { type Operation, type OperationId, operations } from '../../generated/operations.js';
import { samples } from '../../generated/samples.js';
import { createReference, type ReferenceOptions } from '../../reference/index.js';
import { FakeClock } from '../support/fake-clock.js';

export const workflowId = '5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18';
export const executionId = samples.Execution.full.id;
export const profileId = 'c3a7e1d9-4b58-4e26-9f17-0d8b6a2c5e94';
export const otherId = '1f6b9d3c-8e42-47a5-a0c9-5b7e3d1f8a26';
export const apiKey = 'key-that-nobody-may-see';

interface Sent {
  /** Milliseconds since the first moment of the clock. */
  at: number;
  method: string;
  url: string;
  headers: Headers;
  body: unknown;
  signal: AbortSignal | null | undefined;
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

export const execution = (status: string): Response => json({ id: executionId, workflowId, status });

/** A client on a fake clock, whose requests are answered in turn; the last answer stands for all that follow. */
export function scripted(
  answers: (() => Response | Promise<Response>)[],
  options: Partial<WorkflowClientOptions> = {},
) {
  const clock = new FakeClock();
  const start = clock.now();
  const sent: Sent[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const request = new Request(input, { ...init, signal: null });
    const text = await request.text();
    const { method, url, headers } = request;
    sent.push({
      at: clock.now() - start,
      method,
      url,
      headers,
      body: text ? JSON.parse(text) : undefined,
      signal: init.signal,
    });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (!answer) throw new Error('The script has no answer.');
    return answer();
  };
  const client = createWorkflowClient({ baseUrl: 'https://api.example.com', apiKey, fetch, ...options }, clock.runtime);
  return { client, clock, sent, times: () => sent.map(({ at }) => at) };
}

export const never = (): Promise<Response> => new Promise(() => {});

/** The WorkflowError that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>, kind?: WorkflowErrorKind): Promise<WorkflowError> {
  const error = await promise.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof WorkflowError)) throw error;
  if (kind && error.kind !== kind) throw new Error(`expected ${kind}, got ${error.kind}: ${error.message}`);
  return error;
}

/** Calls the method of an operation with the least that it takes: the id wherever its path has one, and a request. */
export function callOf(
  client: WorkflowClient,
  operation: OperationId,
  { id }: { id: unknown } = { id: executionId },
): Promise<unknown> {
  const { pathParameters, requestSchema }: Operation = operations[operation];
  const request = requestSchema === null ? [] : [samples[requestSchema].minimal];
  const method: (...taken: never[]) => Promise<unknown> = client[operation];
  return method(...([...pathParameters.map(() => id), ...request] as never[]));
}

/** A client and a reference service on one clock. */
export function together(options: ReferenceOptions = {}) {
  const clock = new FakeClock();
  const { fetch, fixtures: target } = createReference({ ...options, clock });
  let sent = 0;
  const client = createWorkflowClient(
    {
      baseUrl: target.baseUrl,
      apiKey: target.apiKeys.primary,
      fetch: (input, init) => {
        sent += init?.method === 'POST' ? 1 : 0;
        return fetch(new Request(input, init));
      },
    },
    clock.runtime,
  );
  return { clock, client, target, starts: () => sent };
}
