/** Records the requests that a reference service gets, for the judge of its callers. */

import { keyHeaders, type OperationId } from '../generated/operations.js';
import type { CallerRuleId } from '../generated/rules.js';
import { addressOf } from './address.js';
import type { App } from './app.js';

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

/** A way in which callers broke one of the rules for callers, however often. */
export interface BrokenCallerRule {
  readonly rule: CallerRuleId;
  readonly level: 'MUST' | 'SHOULD';
  /** What the rule demands. */
  readonly says: string;
  readonly expected: string;
  readonly actual: string;
  readonly count: number;
  /** The requests that show it, the one at fault first. Not enumerable: what is printed of a violated rule is short. */
  readonly requests: readonly ReceivedRequest[];
}

/** A field of a request that the contract does not have. */
export interface UnknownField {
  readonly operation: OperationId;
  readonly field: string;
  /** The field that was likely meant, if there is one. */
  readonly meant?: string;
}

/** The verdict on all rules for callers. */
export interface CallersVerdict {
  /** The rules that were broken, the one that was broken first in front; empty if none was. */
  readonly broken: readonly BrokenCallerRule[];
  readonly kept: readonly CallerRuleId[];
  /** Rules for which there is no verdict, because nothing was sent that could be judged by them. */
  readonly untested: readonly CallerRuleId[];
  /** Fields that the contract does not have, each once. The service ignores them. */
  readonly unknownFields: readonly UnknownField[];
}

/** A verdict that names requests by their places in the list. */
export interface Judged extends Omit<CallersVerdict, 'broken'> {
  readonly broken: readonly (Omit<BrokenCallerRule, 'requests'> & { readonly places: readonly number[] })[];
}

export const withRequests = ({ broken, ...others }: Judged, kept: readonly Kept[]): CallersVerdict => ({
  ...others,
  broken: broken.map(({ places, ...one }) =>
    Object.defineProperty(one as BrokenCallerRule, 'requests', {
      value: places.flatMap((place) => kept[place]?.seen ?? []),
    }),
  ),
});

const secretHeaders = [...keyHeaders, 'authorization', 'cookie', 'proxy-authorization'].map((name) =>
  name.toLowerCase(),
);

/** Records the requests that pass through `front`, in the order of their arrival. */
export class RequestLog {
  readonly requests: ReceivedRequest[] = [];
  readonly kept: Kept[] = [];
  readonly #limit: number;

  /** `limit`: how many requests are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Wraps the service. */
  front(app: App): App {
    if (this.#limit === 0) return app;
    return async (request) => {
      const place = await this.#arrived(request);
      const response = await app(place.request);
      const text = response.body === null ? '' : await response.clone().text();
      place.answer(response, text);
      return response;
    };
  }

  async #arrived(request: Request) {
    const { method, url } = request;
    const redact = redacting(keyHeaders.flatMap((name) => request.headers.get(name)?.split(', ') ?? []));
    const bytes = request.body === null ? undefined : await request.arrayBuffer();
    const sent = redact(bytes ? new TextDecoder().decode(bytes) : '');
    const address = addressOf(method, url);
    const seen: { -readonly [name in keyof ReceivedRequest]: ReceivedRequest[name] } = {
      operation: address?.operation ?? null,
      id: address?.id ?? null,
      method,
      url: redact(url),
      headers: headersOf(request.headers, redact),
      ...(sent !== '' && { body: parsed(sent) }),
    };
    const kept: { -readonly [name in keyof Kept]: Kept[name] } = { seen, sent };
    this.requests.push(seen);
    this.kept.push(kept);
    for (const list of [this.requests, this.kept]) if (list.length > this.#limit) list.shift();
    return {
      // The body has been consumed: pass on a copy.
      request: bytes ? new Request(url, { method, headers: request.headers, body: bytes }) : request,
      answer: ({ status, headers }: Response, text: string) => {
        seen.status = status;
        kept.answered = { status, headers: headersOf(headers, redact), text: redact(text) };
      },
    };
  }
}

const redacted = '[redacted]';
type Redact = (text: string) => string;

/** Removes keys from texts, as they stand and as URLs, JSON and base64 write them. Shorter ones would match by chance. */
function redacting(keys: readonly string[]): Redact {
  const forms = keys
    .filter(({ length }) => length >= 8)
    .flatMap((key) => [
      key,
      encodeURIComponent(key),
      JSON.stringify(key).slice(1, -1),
      Buffer.from(key).toString('base64').replaceAll('=', ''),
    ]);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, redacted), text);
}

const headersOf = (headers: Headers, redact: Redact): Record<string, string> =>
  Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeaders.includes(name) ? redacted : redact(value)]),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
