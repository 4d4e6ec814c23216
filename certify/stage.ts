/** Puts a script on stage: the reference service, with the mishaps of the script in front of it. */

import '../conformance/suite/contract.js';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, pathTo } from '../conformance/engine/http/address.js';
import { isStartRequest } from '../conformance/engine/outcome/read.js';
import { maxAfterEnd } from '../conformance/suite/callers/lost-starts.js';
import { isTerminal } from '../generated/lifecycle.js';
import { operations } from '../generated/operations.js';
import { systemClock } from '../reference/clock.js';
import { createReference, type Fixtures, type InProcessReference, keys } from '../reference/index.js';
import { steadyClock } from '../reference/steady-clock.js';
import type { Json, Mishap, Script } from './script.js';

/** A service that behaves as a script says. It listens on a port of its own. */
export interface Stage {
  readonly url: string;
  readonly target: Fixtures;
  /** The id of the execution that the first start creates, if it takes effect. */
  readonly executionId: string;
  /** Aborts when a caller reads an execution again and again that has ended: it would not end by itself. */
  readonly isEndless: AbortSignal;
  close(): Promise<void>;
}

/** After so many requests, answers are delayed: all requests are kept in memory until they are judged. */
const [atOnce, pauseMs] = [1000, 10];

/** How long a caller may read an execution after its end that reads seldom. */
const afterEndMs = 10_000;

/** With a seed, the id of the first execution is known before it exists. */
const seed = 20_261_120;

export async function setStage(script: Script, speed: number): Promise<Stage> {
  const executionId = await firstId(script);
  // Accept keys in either header: otherwise nothing else could be judged of a caller that uses the wrong one.
  const choices = { 'header-names-interchangeable': 'yes' } as const;
  const reference = createReference({
    seed,
    choices,
    speed: script.inRealTime ? 1 : speed,
    // On a busy machine, executions are delayed as much as the caller is.
    clock: steadyClock(systemClock),
    limits: { requests: 0 },
  });
  const acting = new Acting(script, reference);
  const server = createServer((request, response) => void acting.act(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: reference.fixtures,
    executionId,
    isEndless: acting.isEndless,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await reference.close();
    },
  };
}

async function firstId(script: Script): Promise<string> {
  const rehearsal = createReference({ seed });
  try {
    if (script.isFull) await fill(rehearsal);
    const answer = await started(rehearsal, rehearsal.fixtures.workflows.completes, {});
    return String(answer.executionId);
  } finally {
    await rehearsal.close();
  }
}

/** Starts an execution that holds the only profile of the group. */
const fill = (
  reference: InProcessReference,
  { workflow, profileGroup: profileGroupId } = reference.fixtures.capacity,
) => started(reference, workflow, { profileGroupId });

async function started({ fetch, fixtures: target }: InProcessReference, workflow: string, body: Json): Promise<Json> {
  const response = await fetch(
    new Request(target.baseUrl + pathTo(operations.execute, { id: workflow }), {
      method: 'POST',
      headers: { [operations.execute.keyHeader]: keys.full, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  if (!response.ok) throw new Error(`The stage could not be set: a start was answered ${response.status}.`);
  return (await response.json()) as Json;
}

const operationOf = ({ method = '', url }: IncomingMessage) =>
  addressOf(method, `http://stage${url}`)?.operation ?? null;
const isStart = (request: IncomingMessage): boolean => isStartRequest({ operation: operationOf(request) });

class Acting {
  readonly #script: Script;
  readonly #reference: InProcessReference;
  readonly #arrived = new Map<string, number>();
  #taken = 0;
  readonly #endless = new AbortController();
  readonly isEndless = this.#endless.signal;
  /** The readings of an execution that has ended, and when the first of them came. */
  #afterEnd = 0;
  #endAt = 0;
  /** Fills the group at the first start, however long the caller takes before that. */
  #full: Promise<unknown> | undefined;

  constructor(script: Script, reference: InProcessReference) {
    this.#script = script;
    this.#reference = reference;
  }

  async act(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece);
    } catch {
      // The caller went away.
      return;
    }
    this.#taken += 1;
    if (this.#script.isFull && isStart(request)) {
      this.#full ??= fill(this.#reference);
      await this.#full;
    }
    if (this.#taken > atOnce) await sleep(pauseMs);
    const mishap = this.#mishap(request);
    if (mishap?.kind === 'delay') await sleep(mishap.ms);
    const isHeard = !mishap || !('after' in mishap) || mishap.after;
    const answer = isHeard ? await this.#ask(request, Buffer.concat(pieces)) : undefined;
    if (mishap?.kind === 'break') return void response.socket?.resetAndDestroy();
    if (mishap?.kind === 'answer') {
      const { status, headers, body } = mishap;
      return send(response, Response.json(body, { status, ...(headers && { headers }) }));
    }
    if (answer && operationOf(request) === 'getExecution') await this.#noteReading(answer);
    if (answer) await send(response, mishap?.kind === 'change' ? await changed(answer, mishap.change) : answer, mishap);
  }

  #mishap(request: IncomingMessage): Mishap | undefined {
    const operation = operationOf(request);
    const nth = (this.#arrived.get(operation ?? '') ?? 0) + 1;
    this.#arrived.set(operation ?? '', nth);
    return this.#script.mishap?.({ operation, nth });
  }

  async #noteReading(answer: Response): Promise<void> {
    const { status } = (await answer.clone().json()) as Json;
    if (!isTerminal(String(status))) return;
    this.#afterEnd += 1;
    if (this.#afterEnd === 1) this.#endAt = Date.now();
    const more = this.#afterEnd - 1;
    const isLate = Date.now() - this.#endAt > afterEndMs;
    if (more > maxAfterEnd(true) || (isLate && more > maxAfterEnd(false))) this.#endless.abort();
  }

  async #ask(incoming: IncomingMessage, body: Buffer): Promise<Response> {
    const request = requestOf(this.#reference.fixtures.baseUrl, incoming, body);
    if (request) return this.#reference.fetch(request);
    return Response.json({ code: 405, message: `${incoming.method} is not possible here.` }, { status: 405 });
  }
}

/** Undefined if fetch does not support the request, such as TRACE. */
function requestOf(
  baseUrl: string,
  { method = 'GET', url, rawHeaders }: IncomingMessage,
  body: Buffer,
): Request | undefined {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (!connection.has(rawHeaders[index]?.toLowerCase() ?? ''))
      headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
  try {
    return new Request(`${baseUrl}${url}`, { method, headers, ...(hasBody && { body: new Uint8Array(body) }) });
  } catch {
    return undefined;
  }
}

/** Headers of the connection, not of the request. */
const connection = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect']);

async function changed(answer: Response, change: (answer: Json) => Json): Promise<Response> {
  const value: unknown = JSON.parse((await answer.clone().text()) || 'null');
  const isAnswer = typeof value === 'object' && value !== null && 'status' in value && !('code' in value);
  return isAnswer ? Response.json(change(value as Json), answer) : answer;
}

/** Sends an answer. `cut` breaks the connection after half of the body. */
async function send(response: ServerResponse, answer: Response, mishap?: Mishap): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  response.statusCode = answer.status;
  response.setHeaders(answer.headers);
  if (mishap?.kind !== 'cut') return void response.end(body);
  response.setHeader('Content-Length', body.length);
  response.write(body.subarray(0, body.length >> 1), () => response.socket?.resetAndDestroy());
}
