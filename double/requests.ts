/** Records the requests that a reference service gets. */

import '../conformance/suite/contract.js';
import { addressOf } from '../conformance/engine/http/address.js';
import { Redactor, redacted } from '../conformance/engine/http/redact.js';
import { keyHeaders, type OperationId } from '../generated/operations.js';
import type { App } from '../reference/app.js';

/** A request of a caller, and the status of its answer. Keys are redacted. */
export interface ReceivedRequest {
  /** Null if it is not an operation of the contract. */
  readonly operation: OperationId | null;
  /** The id in the path, or null. */
  readonly id: string | null;
  readonly method: string;
  readonly url: string;
  /** Headers by name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body: a JSON value, or the text if it is not JSON; undefined if there is none. */
  readonly body?: unknown;
  /** The status of the answer; absent while the request is being handled. */
  readonly status?: number;
}

/** A request and its answer, as they are judged: raw texts with keys redacted. */
export interface Kept {
  readonly seen: ReceivedRequest;
  readonly sent: string;
  readonly answered?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  };
}

/** How many requests are kept. It bounds the memory of a service that runs for days. */
const mostKept = 10_000;

const secretHeaders = [...keyHeaders, 'authorization', 'cookie', 'proxy-authorization'].map((name) =>
  name.toLowerCase(),
);

/** Records the requests that pass through `front`, in the order of their arrival. */
export class RequestLog {
  readonly requests: ReceivedRequest[] = [];
  readonly #kept: Kept[] = [];

  get kept(): readonly Kept[] {
    return this.#kept;
  }

  /** Wraps the service. */
  readonly front =
    (app: App): App =>
    async (request) => {
      const place = await this.#arrived(request);
      const response = await app(place.request);
      const text = response.body === null ? null : await response.clone().text();
      place.answer(response, text ?? '');
      return response;
    };

  async #arrived(request: Request) {
    const { method, url } = request;
    const redactor = new Redactor(keyHeaders.flatMap((name) => request.headers.get(name)?.split(', ') ?? []));
    const bytes = request.body === null ? undefined : await request.arrayBuffer();
    const sent = redactor.text(bytes ? new TextDecoder().decode(bytes) : '');
    const address = addressOf(method, url);
    const seen: { -readonly [name in keyof ReceivedRequest]: ReceivedRequest[name] } = {
      operation: address?.operation ?? null,
      id: address?.resource ?? null,
      method,
      url: redactor.text(url),
      headers: headersOf(request.headers, redactor),
      ...(sent !== '' && { body: parsed(sent) }),
    };
    const kept: { -readonly [name in keyof Kept]: Kept[name] } = { seen, sent };
    this.requests.push(seen);
    this.#kept.push(kept);
    for (const list of [this.requests, this.#kept]) if (list.length > mostKept) list.shift();
    return {
      // The body has been consumed: pass on a copy.
      request: bytes ? new Request(url, { method, headers: request.headers, body: bytes }) : request,
      answer: ({ status, headers }: Response, text: string) => {
        seen.status = status;
        kept.answered = { status, headers: headersOf(headers, redactor), text: redactor.text(text) };
      },
    };
  }
}

const headersOf = (headers: Headers, redactor: Redactor): Record<string, string> =>
  Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeaders.includes(name) ? redacted : redactor.text(value)]),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
