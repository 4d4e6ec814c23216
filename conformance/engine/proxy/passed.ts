import { decodeBody } from '../http/body.js';
import { mostBytes } from '../recording/raw.js';

/** A request and its answer as they passed the proxy: bytes, and headers with their order and case. */
export interface PassedExchange {
  readonly at: number;
  readonly durationMs: number;
  readonly request: PassedMessage & { readonly method: string; readonly url: string };
  readonly response?: PassedMessage & { readonly status: number };
  /** Why the answer is missing or incomplete. */
  readonly failure?: { readonly kind: 'unreachable' | 'timeout' | 'broken' | 'stopped'; readonly message: string };
}

interface PassedMessage {
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  /** Undefined if it was too large to keep, or incomplete. */
  readonly body: Uint8Array | undefined;
}

/** Keeps a copy of a body, up to a limit. */
export class BodyCopy {
  readonly #limitBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  append(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= this.#limitBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Undefined if it was too large. */
  get body(): Uint8Array | undefined {
    return this.#bytes > this.#limitBytes ? undefined : Buffer.concat(this.#pieces);
  }
}

/** The exchange in the form of a line of a recording. It still contains keys. */
export function lineOf({ at, durationMs, request, response, failure }: PassedExchange) {
  const { method, url, ...asked } = request;
  const { body, ...headers } = messageOf(asked);
  const question = { ...headers, body: body.kind === 'unreadable' ? { kind: 'lost' } : body };
  const whole = response && messageOf(response);
  const isUnreadable = whole?.body.kind === 'unreadable';
  return {
    at,
    durationMs,
    request: { method, url, ...question },
    ...(response && !isUnreadable && { response: { status: response.status, ...whole } }),
    ...(isUnreadable && { failure: { kind: 'broken', message: 'The body is not encoded as Content-Encoding says.' } }),
    ...(failure && { failure }),
  };
}

function messageOf({ headers, body }: PassedMessage) {
  const all: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index]?.toLowerCase(), headers[index + 1]];
    all[name] = all[name] === undefined ? value : `${all[name]}, ${value}`;
  }
  return { headers: all, body: bodyIn(body, all['content-encoding']) };
}

function bodyIn(body: Uint8Array | undefined, encoding = '') {
  if (!body) return { kind: 'lost' };
  const bytes = decodeBody(body, encoding, mostBytes);
  if (!(bytes instanceof Uint8Array)) return { kind: bytes.why === 'unreadable' ? 'unreadable' : 'lost' };
  return { kind: 'text', text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() };
}
