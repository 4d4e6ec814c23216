/** Disturbances: what a gateway, a rate limit or the network does to the answers of the service. */

import { type OperationId, operations } from '../generated/operations.js';
import { addressOf } from './address.js';
import type { App } from './app.js';
import { unknown } from './mistakes.js';

/** A connection that ends before the whole answer is sent. */
export class BrokenConnection extends Error {
  readonly answer: { readonly response: Response; readonly text: string } | undefined;

  /** Without `answer`, it ends before any of it is sent. */
  constructor(answer?: { readonly response: Response; readonly text: string }) {
    super('The connection breaks.');
    this.answer = answer;
  }

  /** What `fetch` makes of it. */
  asFetch(): Response {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    if (!this.answer) throw new TypeError('fetch failed', { cause });
    const { response, text } = this.answer;
    let isBegun = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (isBegun) controller.error(new TypeError('terminated', { cause }));
        else controller.enqueue(new TextEncoder().encode(half(text)));
        isBegun = true;
      },
    });
    return new Response(body, response);
  }
}

export const half = (text: string): string => text.slice(0, text.length / 2);

interface Disturbance {
  readonly says: string;
  /** Whether it is about this operation. */
  readonly of: (operation: OperationId) => boolean;
  /** Whether it is about the nth request of the operation with this id, from 1. */
  readonly nth: (nth: number) => boolean;
  /** What becomes of the request: `serve` gets the answer of the service. */
  readonly makes: (serve: () => Promise<Response>) => Response | Promise<Response>;
}

const starts = (operation: OperationId) => operations[operation].effect === 'starts';
const reads = (operation: OperationId) => operation === 'getExecution';
const any = () => true;
const first = (nth: number) => nth === 1;
const page = (status: number, title: string, headers = {}) =>
  new Response(`<html><body><h1>${status} ${title}</h1></body></html>`, {
    status,
    headers: { 'Content-Type': 'text/html', ...headers },
  });

export const disturbances = {
  'start-answer-lost': {
    says: 'The first start of each workflow takes effect, and its connection breaks without an answer.',
    of: starts,
    nth: first,
    async makes(serve) {
      await serve();
      throw new BrokenConnection();
    },
  },
  'start-504': {
    says: 'The first start of each workflow takes effect, and a gateway answers it with 504.',
    of: starts,
    nth: first,
    async makes(serve) {
      await serve();
      return page(504, 'Gateway Time-out');
    },
  },
  'rate-limited': {
    says: 'The first request of each operation for each id is refused with 429 and Retry-After: 1.',
    of: any,
    nth: first,
    makes: () => page(429, 'Too Many Requests', { 'Retry-After': '1' }),
  },
  unavailable: {
    says: 'The second to fourth reading of each execution are answered with 503.',
    of: reads,
    nth: (nth) => nth > 1 && nth < 5,
    makes: () => page(503, 'Service Unavailable'),
  },
  'connection-cut': {
    says: 'The second answer to a reading of each execution breaks off in the middle.',
    of: reads,
    nth: (nth) => nth === 2,
    async makes(serve) {
      const response = await serve();
      throw new BrokenConnection({ response, text: await response.clone().text() });
    },
  },
  'gateway-404': {
    says: 'The second and third reading of each execution are answered with 404 by a gateway.',
    of: reads,
    nth: (nth) => nth === 2 || nth === 3,
    makes: () => page(404, 'default backend'),
  },
} as const satisfies Record<string, Disturbance>;

export type DisturbanceName = keyof typeof disturbances;

const named: Readonly<Record<string, Disturbance>> = disturbances;

/** The service with disturbances. Throws a UserError for an unknown name. A broken connection rejects. */
export function disturbed(app: App, names: readonly string[]): App {
  if (names.length === 0) return app;
  const active = names.map((name) => {
    const found = Object.hasOwn(named, name) ? named[name] : undefined;
    if (!found) throw unknown('the disturbance', name, Object.keys(named));
    return found;
  });
  const counts = new Map<string, number>();
  return async (request) => {
    const operation = addressOf(request.method, request.url)?.operation;
    const serve = async () => app(request);
    if (!operation) return serve();
    const place = `${operation} ${new URL(request.url).pathname}`;
    const nth = (counts.get(place) ?? 0) + 1;
    counts.set(place, nth);
    const one = active.find((disturbance) => disturbance.of(operation) && disturbance.nth(nth));
    return one ? one.makes(serve) : serve();
  };
}
