import { expect } from 'vitest';
import { pathTo } from '../../conformance/engine/http/address.js';
import type { RequestSpec } from '../../conformance/engine/send/request-spec.js';
import { type Choices, chooseFrom, createReference, keys, type ReferenceOptions } from '../../deviations/index.js';
import { type OperationId, operations } from '../../generated/operations.js';
import type { AgentProfile, Execution, ExecutionFiles, ExecutionStatus } from '../../generated/types.js';
import { responseValidator } from '../../generated/validators.js';
import { serviceKeys } from '../../reference/fixtures.js';
import { FakeClock } from '../support/fake-clock.js';

/** A made-up id: nothing has it. */
export const nobody = '99999999-9999-4999-8999-999999999999';

export interface Ask {
  readonly body?: unknown;
  /** Sent as it stands instead of a JSON body. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** null: no key at all. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: RequestSpec['query'];
}

export interface Answer {
  readonly status: number;
  // Tests say what they expect of it; what the contract says is held against every answer.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
  readonly text: string;
  readonly headers: Headers;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** A reference service on a clock that stands still, and the calls that a test makes of it. */
export function createWorld(options: ReferenceOptions = {}) {
  const clock = new FakeClock(Date.UTC(2026, 2, 2, 9));
  const failures: unknown[] = [];
  const reference = createReference({ clock, seed: 1, report: (error) => failures.push(error), ...options });
  const { fixtures: target } = reference;
  const choices: Choices = chooseFrom(options.choices ?? 'default');

  /** By the key of the one header, the same key of the other, where that takes keys of its own. */
  const serviceKey = new Map<string | null, string>(
    target.apiKeys.serviceAgents === undefined
      ? []
      : Object.entries(keys).map(([name, key]) => [key, serviceKeys[name as keyof typeof keys]]),
  );

  async function call(operation: OperationId, id: string, ask: Ask = {}): Promise<Answer> {
    const { method, keyHeader } = operations[operation];
    const { key = keys.full, body, raw, headers, query = {} } = ask;
    const sent = keyHeader === operations.execute.keyHeader ? key : (serviceKey.get(key) ?? key);
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await reference.fetch(
      new Request(target.baseUrl + pathTo(operations[operation], { id, query }), {
        method,
        headers: {
          ...(sent !== null && { [keyHeader]: sent }),
          ...(content !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(content !== undefined && { body: content }),
      }),
    );
    const text = await response.text();
    const answer = { status: response.status, text, headers: response.headers, body: undefined as unknown };
    if (text !== '') {
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      answer.body = JSON.parse(text);
      const valid = responseValidator(operation, response.status);
      expect(valid, `${operation} ${response.status} is documented: ${text}`).toBeDefined();
      // Of some answers nothing is shown.
      if (valid) expect(valid(answer.body), `${text} ${JSON.stringify(valid.errors)}`).toBe(true);
    }
    return answer;
  }

  /** A call that waits for a run, while time passes. */
  async function callInTime(operation: OperationId, id: string, ask: Ask = {}): Promise<Answer & { ms: number }> {
    const began = clock.now();
    let answer: Answer | undefined;
    const pending = call(operation, id, ask).then((got) => {
      answer = got;
    });
    await clock.advance(0);
    while (!answer && clock.now() - began < 40_000) await clock.advance(Math.min(clock.next, 40_000));
    if (!answer) throw new Error(`${operation} was never answered.`);
    await pending;
    return { ...answer, ms: clock.now() - began };
  }

  const start = async (workflow: string, body: unknown = {}): Promise<string> => {
    const { status, body: started, text } = await call('execute', workflow, { body });
    expect(status, text).toBe(202);
    return started.executionId;
  };

  const read = async (id: string): Promise<Execution> => {
    const { status, body, text } = await call('getExecution', id);
    expect(status, text).toBe(200);
    return body;
  };

  return {
    reference,
    target,
    clock,
    choices,
    failures,
    call,
    callInTime,
    start,
    read,
    /** Runs a workflow to its end. */
    async run(workflow: string, body: unknown = {}): Promise<Execution> {
      const id = await start(workflow, body);
      await clock.advance(2500);
      return read(id);
    },
    /** The states of an execution as polling shows them, each once in a row. */
    async history(id: string, ms: number, every = 50): Promise<Execution[]> {
      const seen: Execution[] = [];
      for (let passed = 0; passed <= ms; passed += every) {
        seen.push(await read(id));
        await clock.advance(every);
      }
      return seen;
    },
    async files(id: string): Promise<ExecutionFiles> {
      const { status, body, text } = await call('listExecutionFiles', id);
      expect(status, text).toBe(200);
      return body;
    },
    async update(id: string, body: unknown): Promise<AgentProfile> {
      const answer = await call('updateProfile', id, { body });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    async duplicate(id: string, body?: unknown): Promise<AgentProfile> {
      const answer = await call('duplicateProfile', id, body === undefined ? {} : { body });
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(200);
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    },
  };
}

/** A refusal: the caller's mistake, told in the operation's error body. */
export function expectRefused(answer: Answer, status?: number): void {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  expect(answer.body).toMatchObject({ code: expect.any(Number), message: expect.stringMatching(/./) });
  if (status === undefined) expect(answer.status, answer.text).toBeLessThan(500);
  else expect(answer.status, answer.text).toBe(status);
}

/** The status in which runs of each workflow stop. */
export const stops = {
  pauses: 'paused',
  pausesByAgent: 'paused_by_agent',
  awaitsConfirmation: 'awaiting_confirmation',
} as const satisfies Record<string, ExecutionStatus>;

export const statuses = (history: readonly Execution[]): string[] =>
  history.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1]);
