import { setMaxListeners } from 'node:events';
import { type OperationId, operations } from '../../generated/operations.js';
import { parseBody } from '../evidence/body.js';
import { isOwnError, isStrange, saysUnavailable } from '../evidence/lost.js';
import { isStart, status } from '../evidence/read.js';
import type { Redactor } from '../evidence/redact.js';
import { allKeys, keyFor, type Target } from '../settings/target/target.js';
import type { Body, Exchange, FailedWait, Failure, Halted, Mark, Response, WorkflowRole } from '../vocabulary.js';
import { isOfPace, isSafe, mayBeAsked, pauseBefore } from './again.js';
import type { Ask } from './ask.js';
import type { Clock } from './clock.js';
import { Copies } from './copies.js';
import { Executions } from './executions.js';
import { Hearing } from './hearing.js';
import { type Journal, noJournal } from './journal.js';
import { Kept } from './kept.js';
import { keyHeaders } from './key-headers.js';
import { isNearKey, nearKey } from './near-keys.js';
import { Pace } from './pace.js';
import { Secrets } from './secrets.js';
import { seeded, seedFor, uuidOf } from './seeded.js';
import { Snapshots } from './snapshots.js';
import { type Transport, TransportError, type WireResponse } from './transport.js';
import { Ways } from './ways.js';

/** A run that ended otherwise than its workflow is declared to. */
export interface Missed {
  readonly role: WorkflowRole;
  readonly reaches: string;
  readonly exchange: Exchange;
}

/** The run is being stopped, or may do no more of what was asked. Ends a journey, never a run. */
export class Halt extends Error {
  override name = 'Halt';
  readonly halted: Halted;

  constructor(why: string, need?: string) {
    super(why);
    this.halted = { why, ...(need !== undefined && { need }) };
  }
}

/** What changes something that the run has to put back or to tell of. */
const changes: readonly OperationId[] = ['execute', 'updateProfile', 'duplicateProfile', 'deletePool'];

/** Less delay of the tester's own changes no verdict. */
const noticeableMs = 50;

const longestRequestMs = 30_000;
const busy = 429;
/** The pause before a service that is away is asked again. */
const awayMs = 1000;
const unavailable = 503;

/** Sends, paces and records. The only thing that knows the keys. */
export class Session {
  readonly exchanges: Exchange[] = [];
  readonly failedWaits: FailedWait[] = [];
  /** The executions that the run started. */
  readonly executions = new Executions();
  /** Something before the service took offence at what is sent in free fields: it is left out from then on. */
  isPlain = false;
  /** Updates of profiles are refused without a name: each carries one from then on. */
  needsName = false;
  /** What runs of workflows did not show. */
  readonly missed: Missed[] = [];
  /** The copies of profiles that it made. */
  readonly copies: Copies;
  /** What profiles were before it changed them. */
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  readonly target: Target;
  /** Whatever a run makes up comes from it. */
  readonly seed: number;
  /** Aborted when the run is to end before its time. */
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  readonly #hearing: Hearing;
  readonly #transport: Transport;
  readonly #pace: Pace;
  readonly #kept: Kept;
  readonly #secrets: Secrets;
  readonly #wrongKey: string;
  readonly ways = new Ways();
  /** While nobody is heard: whether the service is there again. */
  #away: Promise<boolean> | undefined;

  constructor(
    target: Target,
    how: { transport: Transport; clock: Clock; seed: number; signal?: AbortSignal; journal?: Journal; kept?: Kept },
  ) {
    this.target = target;
    this.clock = how.clock;
    this.seed = how.seed;
    this.signal = how.signal ? AbortSignal.any([how.signal, this.#end.signal]) : this.#end.signal;
    // Everything that waits listens to it.
    setMaxListeners(0, this.signal);
    const { baseUrl, profile = '' } = target.facts;
    const journal = how.journal ?? noJournal;
    this.copies = new Copies(journal, baseUrl, profile);
    this.snapshots = new Snapshots(journal, baseUrl, new Date(how.clock.now()).toISOString());
    this.#transport = how.transport;
    this.#kept = how.kept ?? new Kept();
    this.#pace = new Pace(how.clock, target.facts.pace);
    this.#hearing = new Hearing(how.clock, target.facts.pace);
    this.#secrets = new Secrets(allKeys(target.keys), target.secrets);
    this.#wrongKey = `not-a-key-${seedFor(how.seed, 'wrong key').toString(36)}`;
  }

  /**
   * Sends one request and records it. Sends it again, within the target's patience, where it was refused for its pace, and
   * where its answer was lost on the way and it does no harm twice. The first answer stays evidence.
   */
  async send(journey: string, ask: Ask): Promise<Exchange> {
    const patienceMs = this.target.facts.pace.patienceSeconds * 1000;
    // From the first answer on: how long a request stood behind others of the run is not the target's doing.
    let giveUp = Number.POSITIVE_INFINITY;
    // What may not be there yet, as a copy, is asked for again beside what was lost.
    for (let attempt = 0; ; ) {
      const mark: Mark = {
        journey,
        step: ask.step,
        credential: ask.credential ?? 'primary',
        ...(ask.probe && { probe: ask.probe }),
        ...(ask.asks && { asks: ask.asks }),
        ...(ask.odd && { odd: true }),
        ...(ask.sequence !== undefined && { sequence: ask.sequence }),
      };
      const exchange = await this.#pace.through(() => this.#exchange(mark, ask), {
        ...(!ask.always && { signal: this.signal }),
        ...(ask.first && { first: true }),
        ...(ask.atOnce && { atOnce: true }),
        by: journey,
      });
      giveUp = Math.min(giveUp, this.clock.now() + patienceMs);
      if (status(exchange) !== busy && !exchange.failure) this.#pace.answered();
      const notYet = this.copies.pauseBefore(exchange);
      const pause =
        notYet ??
        (this.ways.hears(ask.operation, exchange, this.clock.now())
          ? undefined
          : pauseBefore(exchange, ask, attempt, this.clock.now())) ??
        ((await this.#isBack(journey, ask, exchange, giveUp)) ? 0 : undefined);
      if (pause === undefined || this.clock.now() + pause > giveUp) return exchange;
      // An error of the service's own stays one, also where it did not last.
      if (isOwnError(exchange)) this.expectNothing(exchange);
      else this.supersede(exchange);
      const isPace = isOfPace(exchange) && !(isStart(exchange) && (await this.#isHeard(journey, ask)));
      if (isPace || status(exchange) === unavailable) this.#pace.hold(pause);
      await this.clock.sleep(pause, ask.always ? undefined : this.signal);
      if (notYet === undefined) attempt += 1;
    }
  }

  /**
   * Whether a service that was there and that nobody heard for a while is there again, so that it may be asked once more.
   * Meanwhile nobody else sends. False where others are answered: then this is its answer. What is answered so again and
   * again is its way, and not looked into each time.
   */
  async #isBack(journey: string, ask: Ask, exchange: Exchange, giveUp: number): Promise<boolean> {
    if (!mayBeAsked(exchange, ask) || ask.mayBeOverLimit || !this.#answered) return false;
    if (this.ways.isKnown(exchange) || this.signal.aborted) return false;
    if (!this.#away && (await this.#isHeard(journey, ask))) {
      this.ways.learns(exchange);
      return false;
    }
    this.#away ??= this.#waitOut(journey, giveUp).finally(() => {
      this.#away = undefined;
    });
    if (await this.#away) return true;
    // Nobody is heard any more.
    this.supersede(exchange);
    return false;
  }

  async #waitOut(journey: string, giveUp: number): Promise<boolean> {
    const look = this.#look();
    while (!this.signal.aborted && this.clock.now() + awayMs < giveUp) {
      this.#pace.pause(awayMs);
      await this.clock.sleep(awayMs, this.signal);
      // Past those who wait for their turn, maybe for one that waits here.
      const exchange = await this.#exchange({ journey, step: look.step, credential: 'primary' }, look).catch(halted);
      if (exchange && isAnswer(exchange)) return true;
      if (exchange) this.supersede(exchange);
    }
    return false;
  }

  /** A reading that was answered before as it should be. */
  get #answered(): Exchange | undefined {
    return this.exchanges.findLast(
      (one) => one.operation === 'getExecution' && one.mark?.credential === 'primary' && one.resource && isAnswer(one),
    );
  }

  #look(): Ask {
    const id = this.#answered?.resource ?? uuidOf(seeded(seedFor(this.seed, 'look')));
    return { step: 'look', operation: 'getExecution', id };
  }

  /**
   * Whether others are answered where a start was refused with 429 and told when to come back: then it was refused for want
   * of room, and who waits for a state need not stop reading.
   */
  async #isHeard(journey: string, { always }: Ask): Promise<boolean> {
    const look = this.#look();
    const exchange = await this.#pace.through(
      () => this.#exchange({ journey, step: look.step, credential: 'primary' }, look),
      { ...(!always && { signal: this.signal }), first: true, atOnce: true, by: journey },
    );
    if (!isAnswer(exchange)) this.supersede(exchange);
    return isAnswer(exchange);
  }

  /** Lets only this journey send until its work is done: what it is to meet does not last while others are served. */
  alone<T>(journey: string, work: () => Promise<T>): Promise<T> {
    return this.#pace.alone(journey, work);
  }

  /** Whether nobody but this journey may send. */
  isAlone(journey: string): boolean {
    return this.#pace.isAlone(journey);
  }

  /** Ends the run before its time: what was changed is put back, and nothing else is sent. */
  end(reason: string): void {
    this.#end.abort(new Halt(reason));
  }

  /** Why there is no service any more, where that is so. */
  get silence(): string | undefined {
    return this.#hearing.silence;
  }

  /** Says of an exchange that its request is sent again: it is no answer to its question. */
  supersede(exchange: Exchange): void {
    this.#remark(exchange, { superseded: true });
  }

  /** Says of an exchange that nothing is expected of its answer but what holds for every answer. */
  expectNothing(exchange: Exchange): void {
    this.#remark(exchange, { odd: true });
  }

  /** Whether an exchange was taken out of what is judged since it was answered. */
  isSuperseded({ id }: Exchange): boolean {
    return this.exchanges.some((one) => one.id === id && one.mark?.superseded);
  }

  #remark({ id }: Exchange, more: Partial<Mark>): void {
    const place = this.exchanges.findIndex((one) => one.id === id);
    const known = this.exchanges[place];
    if (known?.mark) this.exchanges[place] = { ...known, mark: { ...known.mark, ...more } };
  }

  async #exchange(mark: Mark, ask: Ask): Promise<Exchange> {
    if (this.signal.aborted && !ask.always)
      throw this.signal.reason instanceof Halt ? this.signal.reason : new Halt('The run was stopped.');
    const { facts } = this.target;
    const operation = operations[ask.operation];
    const text = ask.raw?.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const near = isNearKey(mark.credential)
      ? nearKey(mark.credential, keyFor(this.target.keys, operation.keyHeader, 'primary') ?? '')
      : undefined;
    // A key that is nearly right tells the right one.
    if (near !== undefined) this.#secrets.add(near);
    const request = {
      method: ask.method ?? operation.method,
      url: `${facts.baseUrl}${operation.path.replace(/\{\w+\}/, encodeURIComponent(ask.id))}`,
      headers: {
        accept: 'application/json',
        ...(text !== undefined && { 'content-type': ask.raw?.type ?? 'application/json' }),
        ...this.target.headers,
        ...keyHeaders(this.target.keys, this.#wrongKey, ask.operation, mark.credential, near),
      },
    };
    const id = this.exchanges.length + 1;
    const at = this.clock.now();
    const outline: Omit<Exchange, 'durationMs'> = {
      id,
      operation: ask.method ? null : ask.operation,
      resource: ask.id,
      at,
      request: {
        ...request,
        headers: this.redactor.sent(request.headers),
        body: parseBody(text ?? ''),
      },
      mark,
    };
    // The place is taken at sending: exchanges stand in the order in which they were sent.
    this.exchanges.push({ ...outline, durationMs: 0 });
    const lag = this.clock.lag?.() ?? 0;
    const result = await this.#answer({
      ...request,
      ...(text !== undefined && { body: text }),
      timeoutMs: ask.timeoutMs ?? Math.min(longestRequestMs, facts.pace.patienceSeconds * 1000),
      ...(!isSafe(ask) && { fresh: true }),
      // A change under way is heard to its end: else nobody knows whether it was made.
      ...(!ask.always && !changes.includes(ask.operation) && { signal: this.signal }),
      mark,
    });
    const delayMs = Math.round((this.clock.lag?.() ?? 0) - lag);
    const exchange: Exchange = {
      ...outline,
      durationMs: this.clock.now() - at,
      ...(delayMs >= noticeableMs && { delayMs }),
      ...result,
    };
    this.exchanges[id - 1] = exchange;
    this.executions.hears(exchange);
    this.copies.hears(exchange);
    // A refusal for want of capacity is an answer.
    const isOfLimit = status(exchange) === busy || saysUnavailable(exchange);
    const over = (ask.mayBeAtCapacity || ask.mayBeOverLimit) && isOfLimit ? undefined : this.#hearing.of(exchange);
    if (over !== undefined) this.end(over);
    return exchange;
  }

  async #answer(request: Parameters<Transport>[0]): Promise<{ response: Response } | { failure: Failure }> {
    try {
      return { response: this.#recorded(await this.#transport(request), request.url) };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return { failure: { kind: error.kind, message: error.message } };
    }
  }

  /** Takes everything that nobody may read out of texts. What is judged is what came. */
  get redactor(): Redactor {
    return this.#secrets.redactor;
  }

  #recorded({ status, headers, bytes }: WireResponse, url: string): Response {
    const text = new TextDecoder().decode(bytes);
    // What ends in the middle of a character was cut there.
    const body: Body = utf8(bytes)
      ? this.#kept.body(text, bytes.length, url)
      : { kind: 'not-json', text: text.slice(0, 2000), error: 'The body is not UTF-8.', bytes: bytes.length };
    return {
      status,
      headers,
      body,
      repeatsKey: [text, JSON.stringify(headers)].some((one) => this.#secrets.isRepeatedIn(one)),
    };
  }
}

const isAnswer = (exchange: Exchange): boolean =>
  exchange.response !== undefined && !isStrange(exchange) && status(exchange) !== busy;

const halted = (error: unknown): undefined => {
  if (!(error instanceof Halt)) throw error;
};

function utf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
