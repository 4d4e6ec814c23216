/**
 * What came of a request, decided once for each exchange: from the request, why it was sent, and what came back. Nobody else
 * asks whose answer it is, or what it tells.
 */
import { contract } from '../contract.js';
import { memoize, once } from '../memoize.js';
import { noAnswer, seen } from '../rule/words.js';
import type { Body, Exchange, Response } from '../vocabulary.js';
import { hasMalformedId } from './ids.js';
import {
  accepted,
  answer,
  copies,
  isFields,
  isOtherThanJson,
  isStart,
  refused,
  sendsOtherThanJson,
  startedId,
  status,
  traitsOf,
} from './read.js';
import {
  firstOfErrors,
  firstOfGateways,
  forbidden,
  type Meaning,
  meaningOf,
  notFound,
  notImplemented,
  redirects,
  requestTimeout,
  unauthorized,
  unavailable,
} from './statuses.js';

/**
 * `refused`: for what was asked. `temporary`: the same may be accepted later, or with another key. `intermediary`: by somebody
 * before the service. `unknown`: nobody knows what became of it.
 */
export type Kind = 'accepted' | 'refused' | 'temporary' | 'intermediary' | 'unknown';

/**
 * How an answer looks, whatever its status. `shown`: as the interface has it. `strange`: an error without an error body, or a
 * success without what it is for. `empty`: a success with nothing in it where something is due. `page`: HTML in place of JSON,
 * or a firewall's challenge. `lost`: nothing of the service's was heard, or not all of it. `unsent`: no connection came about.
 * `unheard`: the run was stopped, or nobody kept the answer.
 */
export type Form = 'shown' | 'strange' | 'empty' | 'page' | 'redirect' | 'lost' | 'unsent' | 'unheard';

/**
 * Who answered. `either`: it is no request of the interface, so what stands before a service may answer it as well. `firewall`:
 * for how the request looks. `limit`: whoever counts or measures requests. `gateway`: for a service that does not answer.
 */
export type By = 'service' | 'either' | 'firewall' | 'limit' | 'gateway';

/** What is asked of it is found out when it is asked first: most exchanges are only asked a little. */
class Outcome {
  readonly #exchange: Exchange;
  readonly #meaning: Meaning;
  readonly #form: () => Form;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#meaning = meaningOf(exchange.response?.status);
    this.#form = once(() => formOf(exchange));
  }

  get form(): Form {
    return this.#form();
  }

  get kind(): Kind {
    const { response } = this.#exchange;
    if (!response || (accepted(this.#exchange) && notHeard.has(this.form))) return 'unknown';
    if (accepted(this.#exchange)) return 'accepted';
    return (hasErrorBody(response) ? this.#meaning.inItsWords : undefined) ?? this.#meaning.kind ?? 'refused';
  }

  /** Why it tells nothing of the request itself; undefined where that was accepted or refused. */
  get why(): string | undefined {
    if (this.kind === 'accepted' || this.kind === 'refused') return undefined;
    const { response } = this.#exchange;
    return response ? `It was answered ${seen(response)}: ${this.#meaning.why}.` : noAnswer(this.#exchange);
  }

  /** Undefined where nobody answered. */
  get by(): By | undefined {
    const { mark, response, failure } = this.#exchange;
    if (!response || failure) return undefined;
    if (this.#isFromFirewall(response)) return 'firewall';
    if (this.#meaning.by) return this.#meaning.by;
    // A page for what is no request of the interface is as good an answer as any.
    const isForeign = sendsOtherThanJson(this.#exchange) || hasMalformedId(this.#exchange);
    return (isForeign && this.form === 'page') || mark?.answeredByGateway ? 'either' : 'service';
  }

  /** The answer to an operation where it is the service's own, or may be. */
  get own(): Response | undefined {
    const { operation, response } = this.#exchange;
    return operation !== null && (this.by === 'service' || this.by === 'either') ? response : undefined;
  }

  /** The same where the interface says what its body is. */
  get bound(): Response | undefined {
    return this.by === 'service' ? this.own : undefined;
  }

  /** It was not let through to the service for how it looks: refused in words that are none of the service's, or broken off. */
  get isBarred(): boolean {
    const { response, failure } = this.#exchange;
    if (failure) return failure.kind === 'broken';
    if (response === undefined || hasErrorBody(response)) return false;
    const { bars } = this.#meaning;
    if (bars === 'anything' || (this.form === 'page' && response.status < firstOfErrors)) return true;
    // A service says so itself of what breaks the contract, as it says whatever it says.
    return bars === 'what is right' && isAsShown(this.#exchange);
  }

  /**
   * To the full key, which may do it, 403 for a body that is odd, and whatever bars one of JSON; or a page of HTML that forbids, or
   * that waited for a request in vain. What a restricted key is answered is the service's, where it is known to be one.
   */
  #isFromFirewall(response: Response): boolean {
    const { mark, request } = this.#exchange;
    if (mark?.credential === 'restricted') return false;
    if (ofFronts.includes(response.status) && this.form === 'page') return true;
    if (!mark) return false;
    const isFull = mark.credential === 'primary';
    if (mark.unjudged && request.body.kind === 'json' && isFull && this.isBarred) return true;
    const isOdd = mark.unjudged === true || request.body.kind === 'not-json';
    return response.status === forbidden && isOdd && isFull && !hasErrorBody(response);
  }

  /**
   * Refused otherwise than its key and its id have it, as limits do, and whoever answers for a service that is being replaced:
   * the full key may do all, a restricted one is answered 403 and a wrong one 401, and only what is odd asks for what is not there.
   */
  get unexpected(): 'turned away' | 'not found' | undefined {
    const { mark, response } = this.#exchange;
    if (!mark || !response) return undefined;
    const isFull = mark.credential === 'primary';
    const due = mark.credential === 'restricted' ? forbidden : unauthorized;
    if (this.#meaning.turnsAway) return isFull || response.status !== due ? 'turned away' : undefined;
    if (response.status !== notFound || mark.unjudged) return undefined;
    return isFull === (mark.probe === undefined) ? 'not found' : undefined;
  }

  /**
   * Whether it started or copied something with the full key: `told`, and `maybe` where it was sent and nobody refused it. A
   * gateway's timeout, in whichever words, is no refusal.
   */
  get made(): 'told' | 'maybe' | undefined {
    const { mark, failure, response, request } = this.#exchange;
    const isCopy = copies(this.#exchange);
    if (!(isCopy || isStart(this.#exchange)) || mark?.credential !== 'primary' || mark.probe) return undefined;
    if (accepted(this.#exchange)) {
      if (this.form === 'page') return undefined;
      return isCopy || startedId(this.#exchange) !== undefined ? 'told' : 'maybe';
    }
    // The body of a copy may be left out. What breaks the contract is only ever asked of what does not exist.
    if (isCopy && request.body.kind !== 'none' && !isAsShown(this.#exchange)) return undefined;
    if (failure) return this.form === 'lost' ? 'maybe' : undefined;
    const code = response?.status ?? 0;
    // The service's own error to what is odd is a refusal, and so is one for want of room.
    const isRefusal = mark.unjudged ? code < firstOfGateways : saysUnavailable(this.#exchange);
    if ((isOwnError(this.#exchange) && isRefusal) || (code === notImplemented && this.isBarred)) return undefined;
    return code >= firstOfErrors || code === requestTimeout ? 'maybe' : undefined;
  }
}

export const outcomeOf = memoize((exchange: Exchange) => new Outcome(exchange));

/** Statuses for which whatever stands before a service has pages of its own. */
const ofFronts: readonly number[] = [forbidden, requestTimeout];

const notHeard: ReadonlySet<Form> = new Set(['empty', 'page', 'redirect', 'lost', 'unsent']);

/** Whether nothing of the service's own was heard, as far as one exchange tells. */
export const isLost = (exchange: Exchange): boolean => notHeard.has(outcomeOf(exchange).form);

/**
 * Whether an answer is none that the interface shows. It may be somebody else's, who answers so for a while; the service's own
 * comes again when it is asked again.
 */
export const isOutsideContract = (exchange: Exchange): boolean =>
  isLost(exchange) || outcomeOf(exchange).form === 'strange';

/** A page in place of a body of the contract's, whatever its status: a page of maintenance may well say 200. */
export const isPage = (exchange: Exchange): boolean => outcomeOf(exchange).form === 'page';

/** An error of the service itself, which it may well not make again. */
export const isOwnError = (exchange: Exchange): boolean =>
  (status(exchange) ?? 0) >= firstOfErrors && outcomeOf(exchange).form === 'shown';

/** interface: Errors rule 2 shows no status: at a limit a service may answer a start 503 itself, with an error body of the contract's. */
export const saysUnavailable = (exchange: Exchange): boolean =>
  isStart(exchange) && status(exchange) === unavailable && isOwnError(exchange);

/** Whether a start with the full key, which was not to be refused, may have begun something whose id nobody heard. */
export const mayHaveBegun = (exchange: Exchange): boolean => isStart(exchange) && outcomeOf(exchange).made === 'maybe';

/** Whether a duplication with the full key, which was not to be refused, made a copy, or may have. */
export const mayHaveCopied = (exchange: Exchange): boolean =>
  copies(exchange) && outcomeOf(exchange).made !== undefined;

function formOf(exchange: Exchange): Form {
  const { operation, response, failure } = exchange;
  if (failure?.kind === 'unreachable' || failure?.kind === 'tls') return 'unsent';
  if (failure) return failure.kind === 'timeout' || failure.kind === 'broken' ? 'lost' : 'unheard';
  if (!response) return 'unheard';
  if (isOtherThanJson(exchange)) return 'shown';
  if (isHtml(response) || isChallenge(exchange)) return 'page';
  if (redirects.includes(response.status)) return 'redirect';
  if (isCut(response)) return 'lost';
  if (!accepted(exchange)) {
    if (!refused(exchange) || hasErrorBody(response)) return 'shown';
    if (response.status >= firstOfErrors) return 'lost';
    return operation === null ? 'shown' : 'strange';
  }
  const { essential } = traitsOf(exchange) ?? {};
  if (response.body.kind === 'none' && essential) return 'empty';
  const shown = answer(exchange);
  const has = (field: string) => shown?.[field] !== undefined;
  const [field, type] = essential ?? [];
  if (field === undefined || operation === null) return 'shown';
  if (field === '') return isOf(response.body, type) ? 'shown' : 'strange';
  return has(field) && (contract().knownBy[operation]?.some(has) ?? true) ? 'shown' : 'strange';
}

const isOf = (body: Body, type: string | undefined): boolean =>
  body.kind === 'json' && (Array.isArray(body.value) ? 'array' : typeof body.value) === type;

const isHtml = ({ body }: Response): boolean => body.kind === 'not-json' && /^\s*</.test(body.text);

/** The headers by which firewalls say that they ask who is there, some of them with 202 and no page at all. */
const challenging = ['x-amzn-waf-action', 'cf-mitigated'];

/** Whether a firewall answered in place of the service, and says so. */
export const isChallenge = ({ response }: Exchange): boolean =>
  response !== undefined && challenging.some((name) => response.headers[name] !== undefined);

/** JSON that ends before its end, or before its beginning: whoever passed it on lost the rest. */
function isCut({ body }: Response): boolean {
  if (body.kind !== 'not-json' || !/^\s*[[{]/.test(body.text)) return false;
  const place = /at position (\d+)/.exec(body.error)?.[1];
  return /Unexpected end|Unterminated/.test(body.error) || Number(place) >= Math.min(body.text.length, body.bytes);
}

/** Every error body of the interface has a code and a message. */
function hasErrorBody({ body }: Response): boolean {
  const value = body.kind === 'json' ? body.value : undefined;
  const { code, message } = contract().errorBody;
  return isFields(value) && typeof value[code] === 'number' && typeof value[message] === 'string';
}

/** Whether a body is as the contract has it. */
export const isAsShown = ({ operation, request: { body } }: Exchange): boolean =>
  body.kind === 'json' && operation !== null && contract().requests[operation]?.(body.value) === true;
