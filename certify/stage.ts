import '../conformance/suite/contract.js';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '../conformance/engine/http/address.js';
import { systemClock } from '../reference/clock.js';
import { createReference, type InProcessReference, keys, type ReferenceTarget } from '../reference/index.js';
import { steadyClock } from '../reference/steady-clock.js';
import type { Json, Mishap, Script } from './script.js';

/** A service that behaves as a script says, at an address of its own. */
export interface Stage {
  readonly url: string;
  readonly target: ReferenceTarget;
  /** The id that the first start has if it takes effect. */
  readonly executionId: string;
  close(): Promise<void>;
}

/** Whoever asks without a pause is answered more slowly after so many requests: all are kept until they are judged. */
const [atOnce, pauseMs] = [1000, 10];

/** Ids repeat, so that the first can be known before there is one. */
const seed = 20_261_120;

export async function setStage(script: Script, speed: number): Promise<Stage> {
  const executionId = await firstId(script);
  // Where the wrong header is refused, nothing else could be seen of a caller that sends it.
  const choices = { 'header-names-interchangeable': 'yes' } as const;
  const reference = createReference({
    seed,
    choices,
    speed: script.inRealTime ? 1 : speed,
    // What a busy machine takes from the caller it takes from the runs as well.
    clock: steadyClock(systemClock),
  });
  const acting = new Acting(script, reference);
  const server = createServer((request, response) => void acting.act(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: reference.target,
    executionId,
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
    const answer = await started(rehearsal, rehearsal.target.workflows.completes, {});
    return String(answer.executionId);
  } finally {
    await rehearsal.close();
  }
}

/** Takes the one profile of the group. */
const fill = ({ target, ...reference }: InProcessReference) =>
  started({ ...reference, target }, target.capacity.workflow, { profileGroupId: target.capacity.profileGroup });

async function started({ fetch, target }: InProcessReference, workflow: string, body: Json): Promise<Json> {
  const response = await fetch(
    new Request(`${target.baseUrl}/agents/v2/workflows/${workflow}/execute`, {
      method: 'POST',
      headers: { 'X-Api-Key': keys.full, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  if (response.status !== 202) throw new Error(`The stage could not be set: a start was answered ${response.status}.`);
  return (await response.json()) as Json;
}

const operationOf = ({ method = '', url }: IncomingMessage) => addressOf(method, `http://stage${url}`)?.operation;
const isStart = (request: IncomingMessage): boolean => ['execute', 'executeSync'].includes(operationOf(request) ?? '');

class Acting {
  readonly #script: Script;
  readonly #reference: InProcessReference;
  readonly #arrived = new Map<string, number>();
  #taken = 0;
  /** The group is full from the first start on: a caller may take its time before it. */
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
    if (mishap?.kind === 'answer')
      return reply(response, mishap.status, mishap.headers ?? {}, JSON.stringify(mishap.body));
    if (!answer) return;
    const text = changed(await answer.text(), mishap);
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'content-length'));
    if (mishap?.kind !== 'cut') return reply(response, answer.status, headers, text);
    response.writeHead(answer.status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
    response.write(text.slice(0, Math.floor(text.length / 2)), () => response.socket?.resetAndDestroy());
  }

  #mishap(request: IncomingMessage): Mishap | undefined {
    const operation = operationOf(request);
    const nth = (this.#arrived.get(operation ?? '') ?? 0) + 1;
    this.#arrived.set(operation ?? '', nth);
    return this.#script.mishap?.({ operation, nth });
  }

  async #ask(incoming: IncomingMessage, body: Buffer): Promise<Response> {
    const request = requestOf(this.#reference.target.baseUrl, incoming, body);
    if (request) return this.#reference.fetch(request);
    return Response.json({ code: 405, message: `${incoming.method} is not possible here.` }, { status: 405 });
  }
}

/** Undefined where fetch knows no such request, as with TRACE. */
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

/** What belongs to the connection, not to the request. */
const connection = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect']);

function changed(text: string, mishap: Mishap | undefined): string {
  if (mishap?.kind !== 'change') return text;
  const value: unknown = JSON.parse(text || 'null');
  const isAnswer = typeof value === 'object' && value !== null && 'status' in value && !('code' in value);
  return isAnswer ? JSON.stringify(mishap.change(value as Json)) : text;
}

function reply(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void {
  const isEmpty = status === 204;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    ...headers,
    ...(!isEmpty && { 'Content-Length': Buffer.byteLength(text) }),
  });
  response.end(isEmpty ? undefined : text);
}
