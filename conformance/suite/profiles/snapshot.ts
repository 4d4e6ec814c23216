/** The state of one profile before the run changed it, and everything that is needed to put it back. */

import { memoize } from '../../engine/memoize.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, type Fields, isFields, refused, requestBody } from '../../engine/outcome/read.js';
import { keyed } from '../../engine/rule/items-by-key.js';
import { instant } from '../../engine/rule/times.js';
import { asText, equal, listOf, sameId } from '../../engine/rule/values.js';
import type { Journal, List, ProfileEntry } from '../../engine/send/journal/journal.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { isByOthers } from './changes-by-others.js';
import { noteOf, runStartOfNote, withNote } from './note.js';
import { lists, restorable, unsentFlags } from './restorable.js';
import { diff, isNoop, mayChange, plainSettings, type Setting, sameSetting, shownSettings } from './settings.js';

/** interface: Cookie, Credential: the fields that hold a secret. Nothing says that they are shown unmasked. */
export const secrets = { cookies: 'value', credentials: 'data' } as const;

/** Fields of an update that name items of a list. They are no settings themselves. */
const commands = lists.flatMap((list) => [`${list}ToAdd`, `${list}ToDelete`, `${list}ToUpdate`]);

/** Settings that follow from others, or are put back item by item. */
const derived: readonly string[] = ['inboxEmail', ...lists];

/** An update that changes nothing now. If it sends the name, that is the current one. */
export const emptyUpdate = (noop: Fields, now: Fields): Fields => ('name' in noop ? { name: now.name } : noop);

export class Snapshot {
  readonly id: string;
  /** The original state, with what others changed meanwhile. */
  original: Fields;
  #noop: Fields = {};
  /** The profile as it was last shown. */
  now: Fields;
  /** An update was sent that may have changed something, and it is not known to have been put back. */
  isChanged: boolean;
  /** Set if changes of its copies were seen not to affect it: unasked changes are then somebody else's. */
  isApart = false;
  /** When the run that changes it began, in ISO 8601. */
  readonly startedAt: string;
  /** Settings that others changed. */
  readonly byOthers = new Set<Setting>();
  readonly #baseUrl: string;
  readonly #journal: Journal;
  /** Set if updates have to keep the note at the beginning of the description. */
  isMarked = false;
  /** Whether an earlier run changed it, whose requests are unknown. */
  #isResumed: boolean;
  readonly #touched: Set<string>;
  readonly #added: Readonly<Record<List, Set<string>>>;
  /** Ids of items that appeared in answers to updates that added some. */
  readonly #mine = new Set<unknown>();
  /** Data that the run sent for credentials, of any profile. */
  readonly #sent: ReadonlySet<unknown>;
  /** Lists in which the service showed secrets that the run had added unmasked. */
  readonly #plain = new Set<List>();
  #awaited: ReadonlySet<List> = new Set();
  #tries: number;
  #left: readonly string[] = [];
  #written = '';
  #writing: Promise<void> = Promise.resolve();

  constructor(entry: ProfileEntry, journal: Journal, sent: ReadonlySet<unknown>, dirty = false) {
    this.#sent = sent;
    this.id = entry.profile;
    this.original = entry.original;
    this.now = entry.original;
    this.isChanged = dirty;
    this.#baseUrl = entry.baseUrl;
    this.startedAt = entry.startedAt;
    this.#isResumed = dirty;
    this.#journal = journal;
    this.#touched = new Set(entry.touched);
    this.#added = {
      cookies: new Set(entry.added.cookies.map(normal)),
      credentials: new Set(entry.added.credentials.map(normal)),
    };
    this.#tries = entry.tries;
  }

  /** The update that reads the profile: it changes nothing, and the service accepts it. */
  get noop(): Fields {
    return emptyUpdate(this.#noop, this.now);
  }

  set noop(noop: Fields) {
    this.#noop = noop;
  }

  /** How often earlier runs failed to put it back. */
  get tries(): number {
    return this.#tries;
  }

  /** What could not be put back, in words, with its original value. */
  get left(): readonly string[] {
    return this.#left;
  }

  /** Adds the note to an update that would remove it, or that changes anything while it is missing. */
  noted(ask: RequestSpec): RequestSpec {
    const { body } = ask;
    if (!this.isMarked || ask.evenIfStopping || ask.operation !== 'updateProfile' || !isFields(body)) return ask;
    const { description } = body;
    const isText = typeof description === 'string';
    const isAsked = isText || !(ask.probe || equal(body, this.noop) || isNoop(body) || 'description' in body);
    if (!isAsked || (!isText && runStartOfNote(this.now.description) !== undefined)) return ask;
    const note = noteOf(this.startedAt);
    return { ...ask, body: { ...body, description: isText ? withNote(note, description) : note } };
  }

  /** Records what an update asks for before it is sent, so that the next run knows, whatever becomes of this one. */
  async beforeSending(ask: RequestSpec): Promise<void> {
    const body = isFields(ask.body) ? ask.body : {};
    const asked = Object.entries(body).filter(([, value]) => !Array.isArray(value) || value.length > 0);
    for (const [field] of Object.entries(body)) if (!commands.includes(field)) this.#touched.add(field);
    this.#awaited = new Set([...this.#awaited, ...addedTo(body)]);
    if (asked.length === 0 && ask.raw === undefined && Object.keys(body).every((field) => commands.includes(field)))
      return;
    this.isChanged = true;
    await this.#write();
  }

  /** Records names that an update adds to any profile: a faulty service may add them to this one. */
  names(body: Fields): void {
    for (const list of lists)
      for (const { name } of listOf(body[`${list}ToAdd`]))
        if (typeof name === 'string') this.#added[list].add(normal(name));
  }

  /** Takes in the answer to an update. Changes of others become part of the original state, and are kept. */
  noteAnswer(exchange: Exchange, asked: readonly Exchange[]): void {
    const profile = accepted(exchange) ? answerBody(exchange) : undefined;
    if (profile) {
      const theirs = [...diff(this.now, profile)].filter((one) => this.#isTheirs(one, exchange, profile, asked));
      this.original = { ...this.original, ...Object.fromEntries(theirs.map((one) => [one, profile[one]])) };
      // New items are kept whoever added them, and browsers add some. Only a lost item is worth a remark.
      for (const one of theirs) if (!isList(one) || this.#lacks(one, profile)) this.byOthers.add(one);
      this.#isResumed = false;
    }
    const added = addedTo(requestBody(exchange) ?? {});
    // A refused update adds nothing: items that appear next are somebody else's.
    if (refused(exchange) && !isLost(exchange))
      this.#awaited = new Set([...this.#awaited].filter((list) => !added.includes(list)));
    if (!profile) return;
    for (const list of new Set([...this.#awaited, ...added])) {
      const before = new Set(listOf(this.now[list]).map(({ id }) => id));
      for (const { id } of listOf(profile[list])) if (id !== undefined && !before.has(id)) this.#mine.add(id);
    }
    for (const list of added) if (isShownIn(profile, list, requestBody(exchange))) this.#plain.add(list);
    this.#awaited = new Set();
    this.now = profile;
  }

  #lacks(list: List, profile: Fields): boolean {
    const left = listOf(profile[list]);
    return listOf(this.now[list]).some((item) => !likely(left, item).some((one) => isSame(item, one)));
  }

  /** Whether somebody else changed a setting to what an answer shows. */
  #isTheirs(setting: Setting, exchange: Exchange, profile: Fields, all: readonly Exchange[]): boolean {
    const value = profile[setting];
    if (setting === 'inboxEmail' || mayChange(requestBody(exchange) ?? {}, setting)) return false;
    if (this.#isResumed) return !isList(setting) && !(this.#touched.has(setting) && isOfSuite(setting, value));
    const asked = all.filter((one) => mayChange(requestBody(one) ?? {}, setting));
    if (this.isApart && !asked.some(({ resource }) => sameId(resource, this.id))) return true;
    if (!restorable.includes(setting) || typeof value === 'boolean') return false;
    if (setting === 'description' || setting === 'name')
      return isByOthers(setting, this.now[setting], value, { original: this.original, asked: all });
    return !asked.some((one) => sameSetting(setting, requestBody(one)?.[setting], value));
  }

  /** Whether secrets of this list are shown unmasked, so that they could be put back. */
  isShownUnmasked(list: List): boolean {
    return this.#plain.has(list);
  }

  /** Settings that differ from the original state. */
  differing(): string[] {
    const settings = new Set<string>([...shownSettings, ...this.#touched]);
    return [...settings].filter(
      (field) => !derived.includes(field) && !sameSetting(field as Setting, this.original[field], this.now[field]),
    );
  }

  /** Items that this run put into a list. Items of browsers and others are not removed. */
  added(list: List): Fields[] {
    const originals = listOf(this.original[list]);
    return listOf(this.now[list]).filter(
      (item) =>
        !likely(originals, item).some((before) => isSame(before, item)) &&
        (this.#mine.has(item.id) || this.#added[list].has(normal(item.name))) &&
        !this.#standsIn(list, item),
    );
  }

  /** Whether an item replaces one of the same name that was lost. */
  #standsIn(list: List, item: Fields): boolean {
    const now = listOf(this.now[list]);
    const gone = named(listOf(this.original[list]), item).find(
      (before) => isNamed(before, item) && !likely(now, before).some((one) => isSame(before, one)),
    );
    return gone !== undefined && named(now, gone).find((one) => isNamed(gone, one)) === item;
  }

  /** Items that are gone from a list, and had not expired at `now`. */
  gone(list: List, now: number): Fields[] {
    const left = listOf(this.now[list]);
    return listOf(this.original[list])
      .filter(({ expiry }) => (instant(expiry) ?? Number.POSITIVE_INFINITY) > now)
      .filter((item) => !named(left, item).some((one) => isNamed(item, one)))
      .filter((item) => !likely(left, item).some((one) => isSame(item, one)));
  }

  /** Cookies with another domain or other flags. A browser that uses the profile may change their values. */
  cookiesWithOtherFlags(): Fields[] {
    const now = listOf(this.now.cookies);
    return listOf(this.original.cookies).filter((before) => {
      const after = before.id === undefined ? undefined : ofId(now, before).find(({ id }) => id === before.id);
      return (
        after !== undefined && ['httpOnly', 'secure', 'domain'].some((field) => differs(before[field], after[field]))
      );
    });
  }

  /** Credentials with other data than before; with `bySent`, only those with data that the run sent. */
  credentialsWithOtherData({ bySent = false } = {}): Fields[] {
    if (!this.isShownUnmasked('credentials')) return [];
    const now = listOf(this.now.credentials);
    return listOf(this.original.credentials).filter((before) => {
      const after = likely(now, before).find((one) => isSame(before, one));
      return after !== undefined && differs(before.data, after.data) && (!bySent || this.#sent.has(after.data));
    });
  }

  /** It was put back. */
  async notePutBack(): Promise<void> {
    this.isChanged = false;
    this.#left = [];
    this.#written = '';
    await this.#writing;
    await this.#journal.forgetProfile(this.#baseUrl, this.id);
  }

  /** It could not be put back: a later run will try again. */
  async notePutBackFailed(left: readonly string[]): Promise<void> {
    this.#left = left;
    this.#tries += 1;
    await this.#write();
  }

  async #write(): Promise<void> {
    const entry: ProfileEntry = {
      baseUrl: this.#baseUrl,
      profile: this.id,
      startedAt: this.startedAt,
      original: withoutSecrets(this.original, this.#touched),
      touched: [...this.#touched],
      added: { cookies: [...this.#added.cookies], credentials: [...this.#added.credentials] },
      tries: this.#tries,
    };
    const text = JSON.stringify(entry);
    if (text === this.#written) return;
    this.#written = text;
    // Writes are queued, so that the last one wins.
    this.#writing = this.#writing.then(() => this.#journal.writeProfile(entry));
    await this.#writing;
  }
}

const isList = (setting: string): setting is List => lists.some((list) => list === setting);

/** Whether an earlier run may have set this value. For a flag this cannot be told. */
const isOfSuite = (setting: Setting, value: unknown): boolean => {
  if (setting === 'description') return runStartOfNote(value) !== undefined;
  return setting !== 'name' || /^conformance|^.$/su.test(asText(value ?? ''));
};

/** The lists that an update adds to. */
const addedTo = (body: Fields): List[] => lists.filter((list) => listOf(body[`${list}ToAdd`]).length > 0);

/** A name in the form that is the same even if a service changes case or blanks. */
const normal = (name: unknown): string => asText(name).normalize('NFC').trim().toLowerCase();

const isNamed = (one: Fields, other: Fields): boolean =>
  normal(one.name) === normal(other.name) && one.domain === other.domain;

/** Compares ids, or names if the service shows no ids. interface: Cookie, Credential. */
const isSame = (one: Fields, other: Fields): boolean =>
  one.id === undefined && other.id === undefined ? isNamed(one, other) : one.id === other.id;

const ofId = keyed(({ id }) => id);
const named = keyed(({ name, domain }) => `${domain} ${normal(name)}`);
/** The items that may be the same. */
const likely = (items: readonly Fields[], item: Fields): readonly Fields[] =>
  item.id === undefined ? named(items, item) : ofId(items, item);

/** Both must be shown: the journal does not hold everything. */
const differs = (before: unknown, after: unknown): boolean =>
  before !== undefined && after !== undefined && before !== after;

/** Whether an added item is shown with the secret that was sent. */
const isShownIn = (profile: Fields, list: List, body: Fields | undefined): boolean =>
  listOf(body?.[`${list}ToAdd`]).some((item) => {
    const secret = item[secrets[list]];
    return likely(listOf(profile[list]), item).some((one) => isNamed(one, item) && one[secrets[list]] === secret);
  });

/** The settings that could be put back, without secrets that only the service and the owner may have. */
function withoutSecrets(profile: Fields, touched: ReadonlySet<string>): Fields {
  const kept = new Set<string>([...plainSettings, ...unsentFlags, ...touched]);
  const settings = Object.entries(profile).filter(([field]) => kept.has(field));
  const { customProxy } = profile;
  const { password: _, ...proxy } = isFields(customProxy) ? customProxy : {};
  return {
    ...Object.fromEntries(settings),
    ...itemsOf(profile),
    ...(isFields(customProxy) && { customProxy: proxy }),
  };
}

/** The items of the lists without their secrets. Cached, because it is written often. */
const itemsOf = memoize((profile: Fields): Fields => {
  const items = lists.map((list) => [
    list,
    listOf(profile[list]).map(({ id, name, domain, expiry }) => ({ id, name, domain, expiry })),
  ]);
  return Object.fromEntries(items);
});
