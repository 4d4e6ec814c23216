import '../conformance/suite/contract.js';
import { addressOf } from '../conformance/engine/http/address.js';
import { Redactor, redacted } from '../conformance/engine/http/redact.js';
import { keyHeaders, type OperationId } from '../generated/operations.js';
import type { App } from '../reference/app.js';

/** What a caller sent, and how it was answered. No key is in it. */
export interface ReceivedRequest {
  /** Null where it is none of the contract's. */
  readonly operation: OperationId | null;
  /** The id in the path. */
  readonly id: string | null;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was sent as JSON; the text where it is none. Undefined without a body. */
  readonly body?: unknown;
  /** The answer's; absent while the request is under way. */
  readonly status?: number;
}

/** What is kept of a request and its answer to be judged; texts as they were written, without keys. */
export interface Kept {
  readonly seen: ReceivedRequest;
  readonly sent: string;
  readonly answered?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  };
}

/** So many are kept, the last ones: a test asks for fewer, and a service that runs for days does not grow. */
const mostKept = 10_000;

const secretHeaders = [...keyHeaders, 'authorization', 'cookie', 'proxy-authorization'];

/** Remembers what goes through it, in the order in which it came. */
export class RequestLog {
  readonly requests: ReceivedRequest[] = [];
  readonly #kept: Kept[] = [];

  get kept(): readonly Kept[] {
    return this.#kept;
  }

  /** Stands before the service. */
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
      // Its body has been read.
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
