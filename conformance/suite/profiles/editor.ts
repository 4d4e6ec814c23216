/** The editor changes one profile and puts it back. */

import type { AgentProfileUpdate } from '../../../generated/types.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, type Fields, requestBody, status } from '../../engine/outcome/read.js';
import { equal, has, idsOf, listOf } from '../../engine/rule/values.js';
import { Halt } from '../../engine/send/halt.js';
import type { List, ProfileEntry } from '../../engine/send/journal/journal.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import { isSafe } from '../../engine/send/retry/retry-policy.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { noteOf, runStartOfNote } from './note.js';
import { lists, restorable } from './restorable.js';
import { outcome, putBack, unreadable } from './restore.js';
import { emptyUpdate } from './snapshot.js';

/** The fields that an update sets: named by the contract, with any value. */
export type Update = { readonly [Name in keyof AgentProfileUpdate]?: unknown };

/** Required fields that the suite changes, but an answer lacks. What was never shown cannot be put back. */
const missingFrom = (profile: Fields): string[] =>
  [...restorable, 'cookies', 'credentials'].filter((field) => !has(profile, field));

/** The part of an update that has the same effect when it is sent twice. */
const repeatable = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).filter(([field]) => restorable.includes(field)));

/** How often a change is sent again if its answer is lost. */
const most = 3;

/** Pauses before another try to read a profile. */
const firstPauseMs = 500;
const longestPauseMs = 2000;

/** Whether a refusal is about the request or the moment, not about key or id. */
const isRefusedAsItIs = ({ response }: Exchange): boolean => [400, 409, 422, 423].includes(response?.status ?? 0);

/**
 * Updates that should change nothing: the interface has no other way to read a profile. The first that is accepted is
 * used. The name is known if an execution that used the profile showed it.
 */
function noops(driver: Driver, id: string): Fields[] {
  const name = driver.nameOf(id);
  return [
    {},
    { cookiesToAdd: [] },
    { cookiesToDelete: [driver.unknownId()] },
    ...(name === undefined ? [] : [{ name }]),
  ];
}

const unreadFor = (refused: readonly Exchange[]): string => {
  const [last] = refused.slice(-1);
  const fields = Object.keys((last && requestBody(last)) ?? {}).join(', ');
  return `The profile cannot be read: every update that changes nothing is refused; one with only ${fields} got ${(last && status(last)) ?? 'no answer'}. It may lack a required field: the interface does not show which fields an update needs.`;
};

/** A profile under change: its original state, and the last state that was seen. */
export class Editor {
  readonly driver: Driver;
  readonly id: string;
  #noop: Fields = {};
  original: Fields = {};
  now: Fields = {};
  /** Why it could not be opened. */
  closed = 'The profile cannot be read: an update that changes nothing is refused.';

  constructor(driver: Driver, id: string) {
    this.driver = driver;
    this.id = id;
  }

  /** An update that changes nothing. */
  get noop(): Fields {
    return emptyUpdate(this.#noop, this.now);
  }

  set noop(noop: Fields) {
    this.#noop = noop;
  }

  /**
   * Reads the profile. False if it must not be changed: because no update that changes nothing is accepted, or because
   * the answer lacks what would have to be put back. `closed` says why.
   */
  async open(step = 'baseline'): Promise<boolean> {
    const { driver, id } = this;
    for (let pause = firstPauseMs; ; pause *= 2) {
      const isUsed = driver.executions.isUsing(id);
      const isNamed = driver.nameOf(id) !== undefined;
      const refused: Exchange[] = [];
      for (const noop of noops(driver, id)) {
        const exchange = await this.update(step, noop, { observes: ['empty-update'] });
        if (accepted(exchange)) return await this.#opened(noop, exchange);
        refused.push(exchange);
      }
      this.closed = unreadFor(refused);
      // An execution, or somebody else, may be using it, which a service may answer with any status. An execution may
      // show its name, too.
      const mayPass = refused.every(isRefusedAsItIs) || (!isNamed && driver.mayStart('start/rich'));
      if (!mayPass || !(isUsed || pause <= longestPauseMs) || !driver.facts.stateful) return false;
      for (const exchange of refused) driver.exclude(exchange);
      await driver.pause(Math.min(pause, longestPauseMs));
    }
  }

  async #opened(noop: Fields, exchange: Exchange): Promise<boolean> {
    this.noop = noop;
    this.original = answerBody(exchange) ?? {};
    const missing = missingFrom(this.original);
    if (missing.length > 0) {
      this.closed = `The answer to an update does not show ${missing.join(', ')}. Unknown values cannot be put back, so nothing was changed.`;
      return false;
    }
    if (!this.#isUnmarked()) return false;
    this.driver.snapshots.keep(this.id, this.original);
    const snapshot = this.driver.snapshots.of(this.id);
    if (snapshot) snapshot.noop = noop;
    if ('name' in noop) await this.#triesWithoutName();
    return true;
  }

  /**
   * Whether no other run is changing it, according to its description. If one was killed, nobody knows the original
   * state, so the current one must not be taken for it.
   */
  #isUnmarked(): boolean {
    const { driver, id } = this;
    const since = runStartOfNote(this.original.description);
    if (since === undefined || driver.snapshots.of(id)?.isChanged) return true;
    this.closed = `The profile is still changed by the run of ${since}, as its description says: put it back with the state folder of that run ("workflow-contract restore --state FOLDER"), or by hand, and give it another description.`;
    driver.addLeftBehind({
      kind: 'profile settings',
      id,
      note: `changed by the run of ${since}, as its description says`,
    });
    return false;
  }

  /** Notes in the description that this run is changing the profile. Throws `Halt` if that cannot be set. */
  async marked(): Promise<this> {
    const snapshot = this.driver.snapshots.of(this.id);
    if (!snapshot || !this.driver.facts.stateful) return this;
    const exchange = await this.update('marked', { description: noteOf(snapshot.startedAt) });
    if (!accepted(exchange))
      throw new Halt(
        'The profile does not accept a description that marks it as being changed, so it was not changed.',
        'profile',
      );
    snapshot.isMarked = true;
    return this;
  }

  /** interface: PATCH agent-profiles. Which fields of the body are required is not shown; the name may be. */
  async #triesWithoutName(): Promise<void> {
    const { description } = this.original;
    const exchange = await this.update('baseline-without-name', { description }, { mayBeRefused: true });
    if (!isRefusedAsItIs(exchange)) return;
    this.driver.markUnjudged(exchange);
    this.driver.requireName();
    // Then updates of unknown profiles were also refused because they had no name.
    for (const step of ['unknown', 'without-key', 'wrong-key', 'restricted'])
      await this.#asksWithName(`${step}-updateProfile`);
  }

  async #asksWithName(step: string): Promise<void> {
    const exchange = this.driver.lastAnswer('keys-and-ids', step);
    const { probe, credential } = exchange?.mark ?? {};
    if (!exchange || !probe || !credential || !isRefusedAsItIs(exchange)) return;
    this.driver.markUnjudged(exchange);
    await this.driver.probe(probe.rule, probe.fault, probe.twins, {
      step: `${step}-with-name`,
      operation: 'updateProfile',
      id: this.driver.unknownId(),
      body: { name: this.original.name },
      credential,
    });
  }

  async update(step: string, asked: Update, more: Partial<RequestSpec> = {}): Promise<Exchange> {
    let body = this.#removable(asked);
    const send = () => this.driver.send({ step, operation: 'updateProfile', id: this.id, body, ...more });
    let exchange = await send();
    for (
      let again = 0;
      again < most && isLost(exchange) && !isSafe({ ...more, operation: 'updateProfile', body });
      again += 1
    ) {
      // Its answer was lost, so read the profile to see what became of it.
      const sureOfIt = await this.#mayRepeat(body, more);
      if (sureOfIt === undefined) break;
      this.driver.exclude(exchange);
      if (!sureOfIt) {
        // It may have taken effect: repeat only the fields with the same effect when sent twice.
        body = repeatable(body);
        if (equal(body, {})) return exchange;
      }
      exchange = await send();
    }
    return this.#heard(exchange);
  }

  /** Leaves out items that could not be removed again, because the service shows no ids. Copies may keep them. */
  #removable(body: Fields): Fields {
    if (!this.driver.snapshots.of(this.id)) return body;
    const lasting = lists.filter((list) => listOf(this.now[list]).some((item) => !has(item, 'id')));
    const fields = Object.entries(body).filter(([field]) => !lasting.some((list) => field === `${list}ToAdd`));
    return fields.length > 0 || equal(body, {}) ? Object.fromEntries(fields) : this.noop;
  }

  #heard(exchange: Exchange): Exchange {
    if (accepted(exchange)) this.now = answerBody(exchange) ?? this.now;
    return exchange;
  }

  /**
   * Whether a change whose answer was lost may be sent again: the profile shows that it did not happen, or repeating
   * has the same effect. Undefined if the profile cannot be read.
   */
  async #mayRepeat(
    body: Fields,
    { unjudged = false, evenIfStopping = false }: Partial<RequestSpec>,
  ): Promise<boolean | undefined> {
    const before = this.now;
    const look = this.#heard(
      await this.driver.send({
        step: 'look',
        operation: 'updateProfile',
        id: this.id,
        body: this.noop,
        unjudged,
        evenIfStopping,
      }),
    );
    if (!accepted(look)) return isLost(look) ? undefined : false;
    const { updatedAt: was, ...unchanged } = before;
    const { updatedAt: is, ...now } = this.now;
    return Object.keys(body).every((field) => restorable.includes(field)) || equal(unchanged, now);
  }

  /** As `update`, for values that may be refused because of limits that are not shown. Then the plain ones. */
  async updateOr(
    step: string,
    risky: Update,
    plain: Update | readonly Update[],
    more: Partial<RequestSpec> = {},
  ): Promise<Exchange> {
    const twins = [plain].flat();
    for (const body of [risky, ...twins.slice(0, -1)]) {
      const exchange = await this.update(step, body, { ...more, mayBeRefused: true });
      // An excluded answer was lost, but the change was seen to have happened.
      if ((accepted(exchange) && !isLost(exchange)) || this.driver.isExcluded(exchange)) return exchange;
      this.driver.markUnjudged(exchange);
    }
    return this.update(step, twins.at(-1) ?? risky, more);
  }

  /** Ids of the items that `pick` accepts, in a list of the profile. */
  idsOf(list: List, pick: (item: Fields) => boolean): string[] {
    return idsOf(listOf(this.now[list]).filter(pick));
  }

  /** Puts the profile back, also while the run is being stopped. The snapshot knows what could not be put back. */
  async restore(): Promise<void> {
    const { driver } = this;
    const snapshot = driver.snapshots.of(this.id);
    if (!snapshot?.isChanged || !driver.facts.stateful) return;
    await putBack(driver, snapshot);
    this.now = snapshot.now;
  }

  /** Records that nothing could be put back, and why. */
  async notePutBackFailed(why: string): Promise<void> {
    await this.driver.snapshots.of(this.id)?.notePutBackFailed([unreadable(why)]);
  }
}

/** Puts back what earlier runs left changed. What stays different is tried again together with this run's changes. */
export async function putBackEarlier(driver: Driver, entries: readonly ProfileEntry[]): Promise<void> {
  for (const entry of entries) {
    driver.snapshots.resume(entry);
    const editor = new Editor(driver, entry.profile);
    driver.reportProgress(`puts back what the run of ${entry.startedAt} left changed`);
    try {
      const isOpen = await editor.open('earlier');
      const read = driver.lastAnswer('restore', 'earlier');
      if (isOpen) await editor.restore();
      else await editor.notePutBackFailed(read ? outcome(read) : 'no answer');
    } catch (error) {
      // The run was stopped, or the service no longer answers.
      if (!(error instanceof Halt)) throw error;
      await editor.notePutBackFailed(error.message);
    }
  }
}
