import type { AgentProfileUpdate } from '../../../generated/types.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answer, type Fields, sent, status } from '../../engine/outcome/read.js';
import { equal, idsOf, listOf, sameId, shows } from '../../engine/rule/values.js';
import { Halt } from '../../engine/send/halt.js';
import type { List, ProfileEntry } from '../../engine/send/journal/journal.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import { isSafe } from '../../engine/send/retry/again.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { entryOf, notedIn, noteOf, plainNote } from './note.js';
import { lists, restorable } from './restorable.js';
import { outcome, putBack, unreadable } from './restore.js';
import { idle } from './snapshot.js';

/** What is asked to change: fields that the contract names, with whatever value. */
export type Update = { readonly [Name in keyof AgentProfileUpdate]?: unknown };

/** What nobody was shown cannot be put back: required fields that an answer lacks, of those that the suite changes. */
const missingFrom = (profile: Fields): string[] =>
  [...restorable, 'cookies', 'credentials'].filter((field) => !shows(profile, field));

/** What of an update may be said twice. */
const repeatable = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).filter(([field]) => restorable.includes(field)));

/** How often a change is sent again whose answer was lost. */
const most = 3;

/** Pauses before a profile is asked for again that cannot be read. */
const firstPauseMs = 500;
const longestPauseMs = 2000;

/** Refused neither for the key nor for the id. */
const isRefusedAsItIs = ({ response }: Exchange): boolean => [400, 409, 422, 423].includes(response?.status ?? 0);

/**
 * Updates that should change nothing: the interface has no other way to read a profile. The first one that is taken. The
 * name is known where an execution shows it that used the profile.
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
  const fields = Object.keys((last && sent(last)) ?? {}).join(', ');
  return `The profile cannot be read: every update that changes nothing is refused; one with only ${fields} got ${(last && status(last)) ?? 'no answer'}. It may lack a required field: the interface does not show which fields an update needs.`;
};

/** One profile under change: what it was, and what it was last seen to be. */
export class Editor {
  readonly driver: Driver;
  readonly id: string;
  #noop: Fields = {};
  original: Fields = {};
  now: Fields = {};
  /** Why it is not open. */
  closed = 'The profile cannot be read: an update that changes nothing is refused.';

  constructor(driver: Driver, id: string) {
    this.driver = driver;
    this.id = id;
  }

  /** An update that changes nothing. */
  get noop(): Fields {
    return idle(this.#noop, this.now);
  }

  set noop(noop: Fields) {
    this.#noop = noop;
  }

  /**
   * Reads the profile as it is. False where it cannot be read, and so may not be changed: where the target takes no update
   * that changes nothing, or does not answer with all that would have to be put back. `closed` tells why.
   */
  async open(step = 'baseline'): Promise<boolean> {
    for (let pause = firstPauseMs; ; pause *= 2) {
      const refused: Exchange[] = [];
      for (const noop of noops(this.driver, this.id)) {
        const exchange = await this.update(step, noop, { observes: ['empty-update'] });
        if (accepted(exchange)) return await this.#opened(noop, exchange);
        refused.push(exchange);
      }
      this.closed = unreadFor(refused);
      // Somebody else may use it, which a service may say with any status.
      if (pause > longestPauseMs || !refused.every(isRefusedAsItIs) || !this.driver.facts.stateful) return false;
      for (const exchange of refused) this.driver.exclude(exchange);
      await this.driver.pause(pause);
    }
  }

  async #opened(noop: Fields, exchange: Exchange): Promise<boolean> {
    this.noop = noop;
    this.original = answer(exchange) ?? {};
    const missing = missingFrom(this.original);
    if (missing.length > 0) {
      this.closed = `The answer to an update does not show ${missing.join(', ')}: what is not known cannot be put back, so nothing was changed.`;
      return false;
    }
    if (!(await this.#isUnmarked())) return false;
    this.driver.snapshots.keep(this.id, this.original);
    const snapshot = this.driver.snapshots.of(this.id);
    if (snapshot) snapshot.noop = noop;
    if ('name' in noop) await this.#triesWithoutName();
    return true;
  }

  /**
   * Whether no other run has it changed, as far as its description tells. What a killed one changed and noted there is put back;
   * what it did not note nobody knows, and it is not taken for what the profile was.
   */
  async #isUnmarked(): Promise<boolean> {
    const { driver, id } = this;
    const since = notedIn(this.original.description);
    if (since === undefined || driver.snapshots.of(id)?.dirty) return true;
    const { baseUrl, profile } = driver.facts;
    const entry = sameId(id, profile) ? entryOf(baseUrl, id, this.original) : undefined;
    if (entry) {
      driver.snapshots.resume(entry);
      const snapshot = driver.snapshots.of(id);
      if (snapshot) {
        snapshot.noop = this.#noop;
        snapshot.now = this.now;
      }
      await this.restore();
      this.original = this.now;
      driver.snapshots.remarks.push(
        `The profile ${id} was still changed by the run of ${since}, as its description said. What was noted there was put back.`,
      );
      if (notedIn(this.now.description) === undefined) return true;
    }
    this.closed = `The profile is still changed by the run of ${since}: its description says so, and does not tell all that it was. Put it back with the state folder of that run ("workflow-contract restore --state FOLDER"), or by hand, and give it another description.`;
    driver.leaves({ kind: 'profile settings', id, note: `changed by the run of ${since}, as its description says` });
    return false;
  }

  /** Itself, once its description says that this run has it changed. Throws `Halt` where it cannot be made to say so. */
  async marked(): Promise<this> {
    const snapshot = this.driver.snapshots.of(this.id);
    if (!snapshot || !this.driver.facts.stateful) return this;
    const plain = plainNote(snapshot.startedAt);
    const full = noteOf(this.original, snapshot.startedAt);
    const exchange = await this.updateOr('marked', { description: full }, { description: plain });
    if (!accepted(exchange))
      throw new Halt('The profile takes no description that says that it is changed, so it was not.', 'profile');
    snapshot.mark(sent(exchange)?.description === plain ? () => plain : noteOf);
    return this;
  }

  /** interface: PATCH agent-profiles. Which fields of the body are required is not shown; it may be the name. */
  async #triesWithoutName(): Promise<void> {
    const { description } = this.original;
    const exchange = await this.update('baseline-without-name', { description }, { mayBeRefused: true });
    if (!isRefusedAsItIs(exchange)) return;
    this.driver.expectNothing(exchange);
    this.driver.needName();
    // For want of a name updates of what does not exist were refused as well.
    for (const step of ['unknown', 'without-key', 'wrong-key', 'restricted'])
      await this.#asksWithName(`${step}-updateProfile`);
  }

  async #asksWithName(step: string): Promise<void> {
    const exchange = this.driver.lastAnswer('keys-and-ids', step);
    const { probe, credential } = exchange?.mark ?? {};
    if (!exchange || !probe || !credential || !isRefusedAsItIs(exchange)) return;
    this.driver.expectNothing(exchange);
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
      // What is only sometimes lost is nobody's answer; a look tells what became of it.
      const sureOfIt = await this.#mayRepeat(body, more);
      if (sureOfIt === undefined) break;
      this.driver.exclude(exchange);
      if (!sureOfIt) {
        // It may have been made: what stays the same said twice is said again, for those who ask whether it was taken.
        body = repeatable(body);
        if (equal(body, {})) return exchange;
      }
      exchange = await send();
    }
    return this.#heard(exchange);
  }

  /** Without what could not be taken out again: items go by their ids, which a service need not show. Copies may keep theirs. */
  #removable(body: Fields): Fields {
    if (!this.driver.snapshots.of(this.id)) return body;
    const lasting = lists.filter((list) => listOf(this.now[list]).some((item) => !shows(item, 'id')));
    const fields = Object.entries(body).filter(([field]) => !lasting.some((list) => field === `${list}ToAdd`));
    return fields.length > 0 || equal(body, {}) ? Object.fromEntries(fields) : this.noop;
  }

  #heard(exchange: Exchange): Exchange {
    if (accepted(exchange)) this.now = answer(exchange) ?? this.now;
    return exchange;
  }

  /**
   * Whether a change whose answer was lost was not made, as a look at the profile tells, or does the same once more;
   * undefined where it cannot be looked at.
   */
  async #mayRepeat(
    body: Fields,
    { unjudged = false, always = false }: Partial<RequestSpec>,
  ): Promise<boolean | undefined> {
    const before = this.now;
    const look = this.#heard(
      await this.driver.send({
        step: 'look',
        operation: 'updateProfile',
        id: this.id,
        body: this.noop,
        unjudged,
        always,
      }),
    );
    if (!accepted(look)) return isLost(look) ? undefined : false;
    const { updatedAt: was, ...unchanged } = before;
    const { updatedAt: is, ...now } = this.now;
    return Object.keys(body).every((field) => restorable.includes(field)) || equal(unchanged, now);
  }

  /** As `update`, of what a service may refuse for limits that the interface does not show; then of its plain twins, the plainest last. */
  async updateOr(
    step: string,
    risky: Update,
    plain: Update | readonly Update[],
    more: Partial<RequestSpec> = {},
  ): Promise<Exchange> {
    const twins = [plain].flat();
    for (const body of [risky, ...twins.slice(0, -1)]) {
      const exchange = await this.update(step, body, { ...more, mayBeRefused: true });
      // What was lost on the way, and was seen to be made all the same, is withdrawn.
      if ((accepted(exchange) && !isLost(exchange)) || this.driver.isExcluded(exchange)) return exchange;
      this.driver.expectNothing(exchange);
    }
    return this.update(step, twins.at(-1) ?? risky, more);
  }

  /** Ids in a list of the profile, by what `pick` says of its items. */
  idsOf(list: List, pick: (item: Fields) => boolean): string[] {
    return idsOf(listOf(this.now[list]).filter(pick));
  }

  /** Puts the profile back as it was, also while the run is being stopped; the snapshot tells what could not be put back. */
  async restore(): Promise<void> {
    const { driver } = this;
    const snapshot = driver.snapshots.of(this.id);
    if (!snapshot?.dirty || !driver.facts.stateful) return;
    await putBack(driver, snapshot);
    this.now = snapshot.now;
  }

  /** Nothing could be put back, and for this reason. */
  async stays(why: string): Promise<void> {
    await this.driver.snapshots.of(this.id)?.stays([unreadable(why)]);
  }
}

/** Puts back what ended runs left changed. What of it stays different is put back together with what this run changes. */
export async function putBackEarlier(driver: Driver, entries: readonly ProfileEntry[]): Promise<void> {
  for (const entry of entries) {
    driver.snapshots.resume(entry);
    const editor = new Editor(driver, entry.profile);
    driver.says(`puts back what the run of ${entry.startedAt} left changed`);
    try {
      const isOpen = await editor.open('earlier');
      const read = driver.lastAnswer('restore', 'earlier');
      if (isOpen) await editor.restore();
      else await editor.stays(read ? outcome(read) : 'no answer');
    } catch (error) {
      // The run was stopped, or nobody answers any more.
      if (!(error instanceof Halt)) throw error;
      await editor.stays(error.message);
    }
  }
}
