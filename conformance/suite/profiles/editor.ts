/** The editor changes one scratch profile: a copy, or `scratchProfile`. */

import type { AgentProfileUpdate } from '../../../generated/types.js';
import { accepted, answerBody, type Fields, requestBody, status } from '../../engine/outcome/read.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import { idsOf, listOf } from '../../engine/rule/values.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import type { List } from './lists.js';

/** The fields that an update sets: named by the contract, with any value. */
export type Update = { readonly [Name in keyof AgentProfileUpdate]?: unknown };

/** Whether a refusal is about the request or the moment, not about key or id. */
const isRefusedAsItIs = ({ response }: Exchange): boolean => [400, 409, 422, 423].includes(response?.status ?? 0);

/** A scratch profile, as it was last seen. */
export class Editor {
  readonly driver: Driver;
  readonly id: string;
  /** The description that it has while nothing is tried on it. */
  readonly note: string;
  /** The extensions that it had first: the organization has these. */
  extensionIds: unknown;
  #noop: Fields = {};
  now: Fields;
  /** Why it could not be opened; undefined while it was not tried, and once it was. */
  closed: string | undefined;
  /** Answers to updates do not show it. */
  isMute = false;

  constructor(driver: Driver, id: string, note: string, now: Fields = {}) {
    this.driver = driver;
    this.id = id;
    this.note = note;
    this.now = now;
    this.extensionIds = now.extensionIds ?? [];
  }

  /** An update that changes nothing now. If it sends the name, that is the current one. */
  get noop(): Fields {
    return 'name' in this.#noop ? { name: this.now.name } : this.#noop;
  }

  /** A description that says whose profile it is. */
  described(what: string): string {
    return `${this.note} ${what}`;
  }

  /** Takes over which update changes nothing: that is the same for all profiles of a service. */
  like({ noop }: Editor): this {
    this.#noop = noop;
    return this;
  }

  /**
   * Reads the profile by an update that changes nothing: the interface has no other way. The first that is accepted is
   * used from then on. False if none is; `closed` says why.
   */
  async open(step = 'baseline'): Promise<boolean> {
    const first = await this.#openedBy(step);
    if (first === undefined) return true;
    if (status(first) !== 404 || !this.driver.facts.stateful) return this.#close(first);
    // Not every instance of the service may know it yet.
    await this.driver.pause(replicaLagMs);
    const again = await this.#openedBy(step, [first]);
    return again === undefined || this.#close(again);
  }

  /** Finds an update that changes nothing and is accepted; else returns the refusal that says why there is none. */
  async #openedBy(step: string, replaces: readonly Exchange[] = []): Promise<Exchange | undefined> {
    const { name, description } = this.now;
    const noops = [
      {},
      { cookiesToAdd: [] },
      { cookiesToDelete: [this.driver.unknownId()] },
      ...(name === undefined ? [] : [{ name }]),
    ];
    let refusal: Exchange | undefined;
    for (const noop of noops) {
      const exchange = await this.update(step, noop, { observes: ['empty-update'], replaces });
      if (accepted(exchange) && !answerBody(exchange)) return exchange;
      if (accepted(exchange)) {
        this.#noop = noop;
        this.extensionIds = this.now.extensionIds ?? [];
        if (!('name' in noop)) return undefined;
        // Which fields of the body are required is not shown; the name may be.
        const nameless = await this.update('baseline-without-name', { description }, { ifRefused: 'unjudged' });
        return isRefusedAsItIs(nameless) ? nameless : undefined;
      }
      refusal = exchange;
      // A cookie that does not exist may be answered 404 too.
      if (!isRefusedAsItIs(exchange) && !('cookiesToDelete' in noop)) break;
    }
    return refusal;
  }

  #close(refusal: Exchange): false {
    const fields = Object.keys(requestBody(refusal) ?? {}).join(', ');
    this.isMute = accepted(refusal);
    this.closed = this.isMute
      ? `The answers to updates of the profile ${this.id} do not show it, so nothing was changed.`
      : `The profile ${this.id} cannot be updated: every update that changes nothing is refused; one with only ${fields || 'nothing'} got ${status(refusal) ?? outcome(refusal)}. It may lack a required field: the interface does not show which fields an update needs.`;
    return false;
  }

  async update(step: string, body: Update, more: Partial<RequestSpec> = {}): Promise<Exchange> {
    const exchange = await this.driver.send({ step, operation: 'updateProfile', id: this.id, body, ...more });
    if (accepted(exchange)) this.now = answerBody(exchange) ?? this.now;
    return exchange;
  }

  /** As `update`, with values that a service may refuse, since limits are not shown: then the answer is not judged. */
  attempt(step: string, body: Update, more: Partial<RequestSpec> = {}): Promise<Exchange> {
    return this.update(step, body, { ...more, ifRefused: 'unjudged' });
  }

  /** Ids of the items that `pick` accepts, in a list of the profile. */
  idsOf(list: List['name'], pick: (item: Fields) => boolean = () => true): string[] {
    return idsOf(listOf(this.now[list]).filter(pick));
  }
}

/** What became of a request, in words. */
export const outcome = (exchange: Exchange): string =>
  exchange.failure ? `not answered: ${exchange.failure.message}` : `answered ${status(exchange)}`;
