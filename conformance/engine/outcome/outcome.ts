/**
 * The outcome of an exchange: who answered, and what the answer means. It is decided here and nowhere else, from the
 * request, the reason why it was sent, and the answer.
 */

import { contract } from '../contract.js';
import { memoize, once } from '../memoize.js';
import { inconclusive, violated } from '../rule/findings.js';
import { answerText, noAnswer, textOfResponse } from '../rule/values.js';
import type { Body, Exchange, Finding, Response } from '../vocabulary.js';
import { isUnjudged } from './mark.js';
import {
  type Answerer,
  accepted,
  answerBody,
  firstGatewayError,
  firstServerError,
  forbidden,
  hasMalformedId,
  isCopyRequest,
  isFields,
  isStart,
  type Meaning,
  meaningOf,
  notFound,
  notImplemented,
  type OutcomeKind,
  redirects,
  refused,
  requestTimeout,
  sendsOtherThanJson,
  startedId,
  status,
  traitsOf,
  unauthorized,
  unavailable,
} from './read.js';

/**
 * The form of an answer, whatever its status. `shown`: as in the interface. `strange`: an error without an error body,
 * or a success without its essential field. `empty`: a success without a body where one is due. `page`: HTML in place
 * of JSON, or a firewall's challenge. `lost`: no answer of the service, or only a part. `unsent`: no connection.
 * `unheard`: the run was stopped, or the answer was not kept.
 */
export type AnswerForm = 'shown' | 'strange' | 'empty' | 'page' | 'redirect' | 'lost' | 'unsent' | 'unheard';

/** Everything is computed on first use: of most exchanges only little is asked. */
class Outcome {
  readonly #exchange: Exchange;
  readonly #meaning: Meaning;
  readonly #form = once(() => formOf(this.#exchange));
  readonly #by = once(() => this.#answerer());

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#meaning = meaningOf(exchange.response?.status);
  }

  get form(): AnswerForm {
    return this.#form();
  }

  get kind(): OutcomeKind {
    const { response } = this.#exchange;
    if (!response || (accepted(this.#exchange) && notHeard.has(this.form))) return 'unknown';
    if (accepted(this.#exchange)) return 'accepted';
    return (hasErrorBody(response) ? this.#meaning.withErrorBody : undefined) ?? this.#meaning.kind ?? 'refused';
  }

  /** Why the outcome tells nothing about the request; undefined if it was accepted or refused. */
  get why(): string | undefined {
    if (this.kind === 'accepted' || this.kind === 'refused') return undefined;
    const { response } = this.#exchange;
    return response ? `It was answered ${textOfResponse(response)}: ${this.#meaning.why}.` : noAnswer(this.#exchange);
  }

  /** Undefined where nobody answered. */
  get by(): Answerer | undefined {
    return this.#by();
  }

  #answerer(): Answerer | undefined {
    const { response, failure } = this.#exchange;
    if (!response || failure) return undefined;
    if (this.#isFromFirewall(response)) return 'firewall';
    if (this.#meaning.by) return this.#meaning.by;
    return this.#mayBeOfGateway() ? 'either' : 'service';
  }

  /** Whether something before the service may have refused it, since it is malformed: in words of its own, or with a page. */
  #mayBeOfGateway(): boolean {
    const isMalformed = hasMalformedId(this.#exchange);
    if ((isMalformed || sendsOtherThanJson(this.#exchange)) && this.form === 'page') return true;
    const { body } = this.#exchange.request;
    return (isMalformed || body.kind === 'not-json') && refused(this.#exchange) && !hasOwnFields(this.#exchange);
  }

  /** The answer, if it is or may be the service's own. */
  get own(): Response | undefined {
    const { operation, response } = this.#exchange;
    return operation !== null && (this.by === 'service' || this.by === 'either') ? response : undefined;
  }

  /** The answer, if the interface also says what its body is. */
  get bound(): Response | undefined {
    return this.by === 'service' ? this.own : undefined;
  }

  /** Whether something before the service rejected it for how it looks: in foreign words, or by cutting it off. */
  get isBarred(): boolean {
    const { response, failure } = this.#exchange;
    if (failure) return failure.kind === 'broken';
    if (response === undefined || hasErrorBody(response)) return false;
    const { blocks } = this.#meaning;
    if (blocks === 'anything' || (this.form === 'page' && response.status < firstServerError)) return true;
    // The service itself may refuse what violates the contract with this status.
    return blocks === 'valid requests' && hasValidRequestBody(this.#exchange);
  }

  /**
   * Whether a firewall answered: with a 403 or 408 page; with the full key, which may do everything, also with 403 and
   * no error body to an odd request, or with whatever bars odd JSON. A restricted key is answered by the service.
   */
  #isFromFirewall(response: Response): boolean {
    const { mark, request } = this.#exchange;
    const isTolerant = isUnjudged(this.#exchange);
    if (mark?.credential === 'restricted') return false;
    if (ofFronts.includes(response.status) && this.form === 'page') return true;
    if (!mark) return false;
    const isFull = mark.credential === 'primary';
    if (isTolerant && request.body.kind === 'json' && isFull && this.isBarred) return true;
    const isOdd = isTolerant || request.body.kind === 'not-json';
    return response.status === forbidden && isOdd && isFull && !hasErrorBody(response);
  }

  /**
   * Refused in a way that key and id do not explain, as by limits or during a deployment. The full key may do
   * everything, a restricted one gets 403, a wrong one 401, and only probes and unjudged requests ask for missing
   * things.
   */
  get unexpected(): 'turned away' | 'not found' | undefined {
    const { mark, response } = this.#exchange;
    if (!mark || !response) return undefined;
    const isFull = mark.credential === 'primary';
    const due = mark.credential === 'restricted' ? forbidden : unauthorized;
    if (this.#meaning.rejectsCaller) return isFull || response.status !== due ? 'turned away' : undefined;
    if (response.status !== notFound || isUnjudged(this.#exchange)) return undefined;
    return isFull === (mark.probe === undefined) ? 'not found' : undefined;
  }

  /**
   * Whether it started or copied something with the primary key: `known` if the answer says so, `maybe` if it was sent and
   * nobody refused it. A gateway's timeout is no refusal.
   */
  get made(): 'known' | 'maybe' | undefined {
    const { mark, failure, response, request } = this.#exchange;
    const isCopy = isCopyRequest(this.#exchange);
    if (!(isCopy || isStart(this.#exchange)) || mark?.credential !== 'primary' || mark.probe) return undefined;
    if (accepted(this.#exchange)) {
      if (this.form === 'page') return undefined;
      return isCopy || startedId(this.#exchange) !== undefined ? 'known' : 'maybe';
    }
    // The body of a copy may be omitted. Invalid bodies are only sent for profiles that do not exist.
    if (isCopy && request.body.kind !== 'none' && !hasValidRequestBody(this.#exchange)) return undefined;
    if (failure) return this.form === 'lost' ? 'maybe' : undefined;
    const code = response?.status ?? 0;
    // The service's own error to an odd request is a refusal, and so is one for lack of capacity.
    const isRefusal = isUnjudged(this.#exchange) ? code < firstGatewayError : saysUnavailable(this.#exchange);
    if ((isOwnError(this.#exchange) && isRefusal) || (code === notImplemented && this.isBarred)) return undefined;
    return code >= firstServerError || code === requestTimeout ? 'maybe' : undefined;
  }
}

export const outcomeOf = memoize((exchange: Exchange) => new Outcome(exchange));

/** Statuses for which gateways have pages of their own. */
const ofFronts: readonly number[] = [forbidden, requestTimeout];

const notHeard: ReadonlySet<AnswerForm> = new Set(['empty', 'page', 'redirect', 'lost', 'unsent']);

/** Whether no answer of the service arrived, as far as this exchange tells. */
export const isLost = (exchange: Exchange): boolean => notHeard.has(outcomeOf(exchange).form);

/**
 * Whether an answer is not one that the interface shows. It may come from something else for a while; the service's own
 * answer would be the same in a retry.
 */
export const isOutsideContract = (exchange: Exchange): boolean =>
  isLost(exchange) || outcomeOf(exchange).form === 'strange';

/**
 * Whether an answer has fields that nobody before the service would send: the code of an error or all its texts, or
 * an id of a success.
 */
export function hasOwnFields(exchange: Exchange): boolean {
  const body = answerBody(exchange) ?? {};
  const { code, message, others } = contract().errorBody;
  if (!accepted(exchange))
    return body[code] !== undefined || [message, ...others].every((name) => typeof body[name] === 'string');
  const names = (exchange.operation && contract().successFields[exchange.operation]) ?? [];
  return names.some((name) => body[name] !== undefined);
}

/** Whether it is an HTML page, whatever its status: a maintenance page may have 200. */
export const isHtmlPage = (exchange: Exchange): boolean => outcomeOf(exchange).form === 'page';

/** An error of the service itself, which may not occur again. */
export const isOwnError = (exchange: Exchange): boolean =>
  (status(exchange) ?? 0) >= firstServerError && outcomeOf(exchange).form === 'shown';

/** interface: Errors rule 2 shows no status. At a limit, a service may answer a start with 503 and an error body. */
export const saysUnavailable = (exchange: Exchange): boolean =>
  isStart(exchange) && status(exchange) === unavailable && isOwnError(exchange);

/** Whether a start, with the full key and no fault, may have begun an execution whose id is unknown. */
export const mayHaveStarted = (exchange: Exchange): boolean =>
  isStart(exchange) && outcomeOf(exchange).made === 'maybe';

/** Whether a duplication, with the full key and no fault, made a copy, or may have. */
export const mayHaveCopied = (exchange: Exchange): boolean =>
  isCopyRequest(exchange) && outcomeOf(exchange).made !== undefined;

function formOf(exchange: Exchange): AnswerForm {
  const { operation, response, failure } = exchange;
  if (failure?.kind === 'unreachable' || failure?.kind === 'tls') return 'unsent';
  if (failure) return failure.kind === 'timeout' || failure.kind === 'broken' ? 'lost' : 'unheard';
  if (!response) return 'unheard';
  if (isHtml(response) || isChallenge(exchange)) return 'page';
  if (redirects.includes(response.status)) return 'redirect';
  if (isCut(response.body)) return 'lost';
  if (!accepted(exchange)) {
    if (!refused(exchange) || hasErrorBody(response)) return 'shown';
    if (response.status >= firstServerError) return 'lost';
    return operation === null ? 'shown' : 'strange';
  }
  const { essential } = traitsOf(exchange) ?? {};
  if (response.body.kind === 'none' && essential) return 'empty';
  const shown = answerBody(exchange);
  const has = (field: string) => shown?.[field] !== undefined;
  const [field, type] = essential ?? [];
  if (field === undefined || operation === null) return 'shown';
  if (field === '') return isOf(response.body, type) ? 'shown' : 'strange';
  return has(field) && (contract().successFields[operation]?.some(has) ?? true) ? 'shown' : 'strange';
}

const isOf = (body: Body, type: string | undefined): boolean =>
  body.kind === 'json' && (Array.isArray(body.value) ? 'array' : typeof body.value) === type;

const isHtml = ({ body }: Response): boolean => body.kind === 'not-json' && /^\s*</.test(body.text);

/** Headers of firewalls that challenge the caller, sometimes with 202 and no page. */
const challenging = ['x-amzn-waf-action', 'cf-mitigated'];

/** Whether a firewall answered in place of the service, and says so. */
export const isChallenge = ({ response }: Exchange): boolean =>
  response !== undefined && challenging.some((name) => response.headers[name] !== undefined);

/** Truncated JSON: something on the way lost the rest. */
export function isCut(body: Body): boolean {
  if (body.kind !== 'not-json' || !/^\s*[[{]/.test(body.text)) return false;
  const place = /at position (\d+)/.exec(body.error)?.[1];
  return /Unexpected end|Unterminated/.test(body.error) || Number(place) >= Math.min(body.text.length, body.bytes);
}

function hasErrorBody({ body }: Response): boolean {
  const value = body.kind === 'json' ? body.value : undefined;
  const { code, message } = contract().errorBody;
  return isFields(value) && typeof value[code] === 'number' && typeof value[message] === 'string';
}

/** Whether the request body is valid by the contract. */
export const hasValidRequestBody = ({ operation, request: { body } }: Exchange): boolean =>
  body.kind === 'json' && operation !== null && contract().requests[operation]?.(body.value) === true;

/**
 * For a request that should be accepted and was not: fails if it was refused for what it asks, while `peer` was
 * accepted; else inconclusive, with the reason.
 */
export function notAccepted(exchange: Exchange, peer: Exchange | false | undefined, expected: string): Finding {
  const { why } = outcomeOf(exchange);
  if (why === undefined && peer) return violated([exchange, peer], expected);
  return inconclusive(exchange, why ?? `It was answered ${answerText(exchange)}; the reason is unclear.`);
}
