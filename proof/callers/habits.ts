/** A caller made of habits: good ones by default, of which bad callers replace some. */

import { randomUUID } from 'node:crypto';
import { request as ask } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Assignment } from '../../certify/script.js';
import { systemClock } from '../../reference/clock.js';
import { steadyClock } from '../../reference/steady-clock.js';

/** On a busy machine, caller and service are delayed alike, so callers do not time out. */
const clock = steadyClock(systemClock);

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Line {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly key: 'X-Api-Key' | 'X-Service-Agents-Api-Key';
  readonly body?: unknown;
}

/** What a caller does after the answer to a start was lost. */
type Way =
  | 'look-up'
  | 'look-up-and-again'
  | 'look-up-by-itself'
  | 'again'
  | 'again-asynchronously'
  | 'again-with-another-body'
  | 'read-another';

/** The habits of a good caller. */
const goodHabits = {
  keyHeaders: (line: Line, key: string): Record<string, string> => ({ [line.key]: key }),
  contentType: 'application/json' as string | undefined,
  write: (body: unknown): string => JSON.stringify(body),
  timeoutMs: 30_000,
  /** The body of GET and DELETE requests. */
  idleBody: undefined as string | undefined,
  startBody: (body: Readonly<Record<string, unknown>>, _given: Assignment): Readonly<Record<string, unknown>> => body,
  update: { description: 'Looked after.' } as Readonly<Record<string, unknown>>,
  profile: (given: Assignment): string => given.PROFILE_ID,
  executionOf: (answer: Answer): string => String(answer.body.executionId),
  /** What to do after a start without an answer (`onLost`), or with a gateway timeout (`onTimeout`). */
  onLost: 'look-up' as Way,
  onTimeout: 'look-up' as Way,
  follows: (_answer: Answer): boolean => true,
  /** Whether it reads an execution though its start was refused. */
  takesRefusals: false,
  /** Whether to poll again after an answer; undefined stands for a failure. */
  readsAgain: (answer: Answer | undefined): boolean =>
    !answer || answer.status === 429 || answer.status >= 500 || (answer.status < 400 && !ended(answer.body.status)),
};

export type Habits = typeof goodHabits;

export const ended = (status: unknown): boolean => ['completed', 'failed', 'cancelled'].includes(String(status));

/** Creates a caller without a library from its habits. */
export const callerWith =
  (changed: Partial<Habits> = {}) =>
  (given: Assignment): Promise<void> =>
    new HabitualCaller({ ...goodHabits, ...changed }, given).work();

const mostFailures = 4;

class HabitualCaller {
  readonly #habits: Habits;
  readonly #given: Assignment;
  #failures = 0;

  constructor(habits: Habits, given: Assignment) {
    this.#habits = habits;
    this.#given = given;
  }

  async work(): Promise<void> {
    if (this.#given.CERTIFY_JOB === 'profile') await this.#lookAfterProfile();
    else await this.#run();
  }

  async #lookAfterProfile(): Promise<void> {
    const profile = `/agents/v2/agent-profiles/${this.#habits.profile(this.#given)}`;
    const key = 'X-Service-Agents-Api-Key';
    await this.#send({ method: 'PATCH', path: profile, key, body: this.#habits.update });
    await this.#send({ method: 'POST', path: `${profile}/duplicate`, key, body: {} });
    await this.#send({ method: 'DELETE', path: `/agents/v2/agent-profile-pools/${this.#given.POOL_ID}`, key });
  }

  async #run(): Promise<void> {
    const answer = await this.#start(this.#given.CERTIFY_JOB === 'sync');
    if (
      !answer ||
      (answer.status >= 400 && !this.#habits.takesRefusals) ||
      ended(answer.body.status) ||
      !this.#habits.follows(answer)
    )
      return;
    await this.#follow(this.#habits.executionOf(answer));
  }

  async #start(isSync: boolean, more: object = {}): Promise<Answer | undefined> {
    const asked = { ...JSON.parse(this.#given.CERTIFY_REQUEST), ...more };
    const body = this.#habits.startBody(asked, this.#given);
    const path = `/agents/v2/workflows/${this.#given.WORKFLOW_ID}/execute${isSync ? '/sync' : ''}`;
    const answer = await this.#send({ method: 'POST', path, key: 'X-Api-Key', body }).catch(() => undefined);
    if (this.#failures >= mostFailures) return undefined;
    if (answer && answer.status !== 504) return answer;
    return this.#afterLoss(answer ? this.#habits.onTimeout : this.#habits.onLost, isSync);
  }

  async #afterLoss(way: Way, isSync: boolean): Promise<Answer | undefined> {
    if (way === 'again') return this.#start(isSync);
    if (way === 'again-asynchronously') return this.#start(false);
    if (way === 'again-with-another-body') return this.#start(isSync, { inputs: { attempt: 2 } });
    if (way === 'read-another') {
      // Starts another execution, and reads that instead.
      const other = await this.#start(false);
      if (other) await this.#read(String(other.body.executionId));
      return other;
    }
    // A made-up id belongs to no execution.
    const id = way === 'look-up-by-itself' ? randomUUID() : this.#given.CERTIFY_EXECUTION_ID;
    const found = await this.#read(id).catch(() => undefined);
    if (found?.status === 404 || way === 'look-up-and-again') return this.#start(isSync);
    await this.#follow(this.#given.CERTIFY_EXECUTION_ID);
    return undefined;
  }

  async #follow(executionId: string): Promise<void> {
    while (this.#failures < mostFailures) {
      const answer = await this.#read(executionId).catch(() => undefined);
      if (!this.#habits.readsAgain(answer)) return;
      await sleep(answer?.status === 429 ? 200 : 25);
    }
  }

  #read(executionId: string): Promise<Answer> {
    return this.#send({ method: 'GET', path: `/agents/v2/executions/${executionId}`, key: 'X-Service-Agents-Api-Key' });
  }

  async #send(line: Line): Promise<Answer> {
    const { keyHeaders, contentType, write, timeoutMs, idleBody } = this.#habits;
    // Even a caller that always retries must end.
    if (this.#failures >= mostFailures) throw new Error('Nothing answers.');
    const text = line.body === undefined ? idleBody : write(line.body);
    return new Promise((resolve, reject) => {
      const headers = {
        ...keyHeaders(line, this.#given.WORKFLOW_API_KEY),
        ...(text !== undefined && { 'Content-Length': Buffer.byteLength(text) }),
        ...(text !== undefined && contentType !== undefined && { 'Content-Type': contentType }),
      };
      const sent = ask(
        `${this.#given.BASE_URL}${line.path}`,
        { method: line.method, headers, agent: false },
        (message) => {
          const pieces: Buffer[] = [];
          message.on('data', (piece: Buffer) => pieces.push(piece));
          message.on('error', reject);
          message.on('end', () => {
            try {
              const body = JSON.parse(Buffer.concat(pieces).toString() || '{}');
              resolve({ status: message.statusCode ?? 0, body });
            } catch (error) {
              reject(error);
            }
          });
        },
      );
      sent.on('error', (error) => {
        this.#failures += 1;
        reject(error);
      });
      const timer = clock.setTimeout(() => sent.destroy(new Error('No answer came in time.')), timeoutMs);
      sent.on('close', () => clock.clearTimeout(timer));
      sent.end(text);
    });
  }
}
