import { memoize } from '../../engine/memoize.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answer, type Fields, isFields, refused, sent } from '../../engine/outcome/read.js';
import { keyed } from '../../engine/rule/items-by-key.js';
import { asText, equal, instant, listOf, sameId } from '../../engine/rule/values.js';
import type { Journal, List, ProfileEntry } from '../../engine/send/journal/journal.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { isForeign } from './foreign-changes.js';
import { notedIn, withNote } from './note.js';
import { lists, restorable, unsentFlags } from './restorable.js';
import { isIdle, plainSettings, type Setting, sameSetting, shownSettings, touches, unlike } from './settings.js';

/** interface: Cookie, Credential: what in them is a secret. Nothing says that it is shown as it is. */
export const secrets = { cookies: 'value', credentials: 'data' } as const;

/** Fields of an update that name items of a list, and are no settings themselves. */
const commands = lists.flatMap((list) => [`${list}ToAdd`, `${list}ToDelete`, `${list}ToUpdate`]);

/** What follows from other settings, or is put back item by item. */
const derived: readonly string[] = ['inboxEmail', ...lists];

/** An update that changes nothing, as it is to be sent now: a profile's own name is the one that it has. */
export const idle = (noop: Fields, now: Fields): Fields => ('name' in noop ? { name: now.name } : noop);

/** A profile before the run changed it, and all that the run asked to change since. */
export class Snapshot {
  readonly id: string;
  /** With what others changed meanwhile. */
  original: Fields;
  #noop: Fields = {};
  /** The profile as it was last answered. */
  now: Fields;
  /** An update was sent that may have changed something, and it is not known to be put back. */
  dirty: boolean;
  /** It was seen to stay as it is when its copies change: what changes unasked is somebody else's doing. */
  isApart = false;
  /** When the run began that changes it, in ISO 8601. */
  readonly startedAt: string;
  /** Settings that others changed. */
  readonly theirs = new Set<Setting>();
  readonly #baseUrl: string;
  readonly #journal: Journal;
  #note: ((original: Fields, startedAt: string) => string) | undefined;
  /** Whether an earlier run changed it, of which it is not known what it asked for. */
  #isResumed: boolean;
  readonly #touched: Set<string>;
  readonly #added: Readonly<Record<List, Set<string>>>;
  /** Ids of items that came with an answer to an update that added some. */
  readonly #mine = new Set<unknown>();
  /** Data that the run sent for credentials, of any profile. */
  readonly #sent: ReadonlySet<unknown>;
  /** Lists in which the service showed what the run had added as it was sent. */
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
    this.dirty = dirty;
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

  /** An update that changes nothing, which the service takes: the way to read it. */
  get noop(): Fields {
    return idle(this.#noop, this.now);
  }

  set noop(noop: Fields) {
    this.#noop = noop;
  }

  /** How often it was tried in vain to put it back, by earlier runs. */
  get tries(): number {
    return this.#tries;
  }

  /** What could not be put back, each in words with what it was. */
  get left(): readonly string[] {
    return this.#left;
  }

  /** From now on its description begins with a note. */
  mark(note: (original: Fields, startedAt: string) => string): void {
    this.#note = note;
  }

  /** An update such that the description says that the run has it changed. */
  noted(ask: RequestSpec): RequestSpec {
    const { body } = ask;
    if (!this.#note || ask.always || ask.operation !== 'updateProfile' || !isFields(body)) return ask;
    const { description } = body;
    const isText = typeof description === 'string';
    const isAsked = isText || !(ask.probe || equal(body, this.noop) || isIdle(body) || 'description' in body);
    if (!isAsked || (!isText && notedIn(this.now.description) !== undefined)) return ask;
    const note = this.#note(this.original, this.startedAt);
    return { ...ask, body: { ...body, description: isText ? withNote(note, description) : note } };
  }

  /** Notes what an update asks for, before it is sent: whatever becomes of this run, the next one knows. */
  async beforeSending(ask: RequestSpec): Promise<void> {
    const body = isFields(ask.body) ? ask.body : {};
    const asked = Object.entries(body).filter(([, value]) => !Array.isArray(value) || value.length > 0);
    for (const [field] of Object.entries(body)) if (!commands.includes(field)) this.#touched.add(field);
    this.#awaited = new Set([...this.#awaited, ...addedTo(body)]);
    if (asked.length === 0 && ask.raw === undefined && Object.keys(body).every((field) => commands.includes(field)))
      return;
    this.dirty = true;
    await this.#write();
  }

  /** Notes the names that an update of any profile adds: a service that is wrong may add them to this one. */
  names(body: Fields): void {
    for (const list of lists)
      for (const { name } of listOf(body[`${list}ToAdd`]))
        if (typeof name === 'string') this.#added[list].add(normal(name));
  }

  /** Takes in what was answered to an update. What others changed is what it was from now on: it is put back as they left it. */
  hears(exchange: Exchange, asked: readonly Exchange[]): void {
    const profile = accepted(exchange) ? answer(exchange) : undefined;
    if (profile) {
      const theirs = [...unlike(this.now, profile)].filter((one) => this.#isTheirs(one, exchange, profile, asked));
      this.original = { ...this.original, ...Object.fromEntries(theirs.map((one) => [one, profile[one]])) };
      // What comes into a list stays there whoever brought it, and browsers bring some.
      for (const one of theirs) if (!isList(one) || this.#lacks(one, profile)) this.theirs.add(one);
      this.#isResumed = false;
    }
    const added = addedTo(sent(exchange) ?? {});
    // What was refused adds nothing: whatever comes next is somebody else's.
    if (refused(exchange) && !isLost(exchange))
      this.#awaited = new Set([...this.#awaited].filter((list) => !added.includes(list)));
    if (!profile) return;
    for (const list of new Set([...this.#awaited, ...added])) {
      const known = new Set(listOf(this.now[list]).map(({ id }) => id));
      for (const { id } of listOf(profile[list])) if (id !== undefined && !known.has(id)) this.#mine.add(id);
    }
    for (const list of added) if (isShownIn(profile, list, sent(exchange))) this.#plain.add(list);
    this.#awaited = new Set();
    this.now = profile;
  }

  #lacks(list: List, profile: Fields): boolean {
    const left = listOf(profile[list]);
    return listOf(this.now[list]).some((item) => !likely(left, item).some((one) => isSame(item, one)));
  }

  /** Whether it was somebody else who changed a setting to what an answer shows. */
  #isTheirs(setting: Setting, exchange: Exchange, profile: Fields, all: readonly Exchange[]): boolean {
    const value = profile[setting];
    if (setting === 'inboxEmail' || touches(sent(exchange) ?? {}, setting)) return false;
    if (this.#isResumed) return !isList(setting) && !(this.#touched.has(setting) && isOfSuite(setting, value));
    const asked = all.filter((one) => touches(sent(one) ?? {}, setting));
    if (this.isApart && !asked.some(({ resource }) => sameId(resource, this.id))) return true;
    if (!restorable.includes(setting) || typeof value === 'boolean') return false;
    if (setting === 'description' || setting === 'name')
      return isForeign(setting, this.now[setting], value, { original: this.original, asked: all });
    return !asked.some((one) => sameSetting(setting, sent(one)?.[setting], value));
  }

  /** Whether a secret of this list is what it is shown to be, so that it could be put back. */
  isPlain(list: List): boolean {
    return this.#plain.has(list);
  }

  /** Settings that are not as they were. */
  differing(): string[] {
    const settings = new Set<string>([...shownSettings, ...this.#touched]);
    return [...settings].filter(
      (field) => !derived.includes(field) && !sameSetting(field as Setting, this.original[field], this.now[field]),
    );
  }

  /** Items that this run put into a list. What a browser or somebody else brought is not its to take away. */
  added(list: List): Fields[] {
    const known = listOf(this.original[list]);
    return listOf(this.now[list]).filter(
      (item) =>
        !likely(known, item).some((before) => isSame(before, item)) &&
        (this.#mine.has(item.id) || this.#added[list].has(normal(item.name))) &&
        !this.#standsIn(list, item),
    );
  }

  /** Whether an item is there again in the place of one that was gone. */
  #standsIn(list: List, item: Fields): boolean {
    const now = listOf(this.now[list]);
    const gone = named(listOf(this.original[list]), item).find(
      (before) => isNamed(before, item) && !likely(now, before).some((one) => isSame(before, one)),
    );
    return gone !== undefined && named(now, gone).find((one) => isNamed(gone, one)) === item;
  }

  /** Items that are gone from a list, though their time was not over at `now`. */
  gone(list: List, now: number): Fields[] {
    const left = listOf(this.now[list]);
    return listOf(this.original[list])
      .filter(({ expiry }) => (instant(expiry) ?? Number.POSITIVE_INFINITY) > now)
      .filter((item) => !named(left, item).some((one) => isNamed(item, one)))
      .filter((item) => !likely(left, item).some((one) => isSame(item, one)));
  }

  /** Cookies that go to others than they did. Their values change by themselves where a browser uses the profile. */
  redirected(): Fields[] {
    const now = listOf(this.now.cookies);
    return listOf(this.original.cookies).filter((before) => {
      const after = before.id === undefined ? undefined : ofId(now, before).find(({ id }) => id === before.id);
      return (
        after !== undefined && ['httpOnly', 'secure', 'domain'].some((field) => differs(before[field], after[field]))
      );
    });
  }

  /** Credentials that hold something else than they did; only what the run sent came by it, and not from somebody else. */
  rewritten({ bySent = false } = {}): Fields[] {
    if (!this.isPlain('credentials')) return [];
    const now = listOf(this.now.credentials);
    return listOf(this.original.credentials).filter((before) => {
      const after = likely(now, before).find((one) => isSame(before, one));
      return after !== undefined && differs(before.data, after.data) && (!bySent || this.#sent.has(after.data));
    });
  }

  /** It is as it was. */
  async settled(): Promise<void> {
    this.dirty = false;
    this.#left = [];
    this.#written = '';
    await this.#writing;
    await this.#journal.forgetProfile(this.#baseUrl, this.id);
  }

  /** It could not be put back: for a later run to try once more. */
  async stays(left: readonly string[]): Promise<void> {
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
    // One after the other: the last one written is the last one meant.
    this.#writing = this.#writing.then(() => this.#journal.writeProfile(entry));
    await this.#writing;
  }
}

const isList = (setting: string): setting is List => lists.some((list) => list === setting);

/** Whether an earlier run may have set a text to it; of a flag nobody can tell. */
const isOfSuite = (setting: Setting, value: unknown): boolean => {
  if (setting === 'description') return notedIn(value) !== undefined;
  return setting !== 'name' || /^conformance|^.$/su.test(asText(value ?? ''));
};

/** The lists that an update adds to. */
const addedTo = (body: Fields): List[] => lists.filter((list) => listOf(body[`${list}ToAdd`]).length > 0);

/** How a service that changes capitals or blanks of a name would still show it. */
const normal = (name: unknown): string => asText(name).normalize('NFC').trim().toLowerCase();

const isNamed = (one: Fields, other: Fields): boolean =>
  normal(one.name) === normal(other.name) && one.domain === other.domain;

/** By their ids, which a service need not show. interface: Cookie, Credential. */
const isSame = (one: Fields, other: Fields): boolean =>
  one.id === undefined && other.id === undefined ? isNamed(one, other) : one.id === other.id;

const ofId = keyed(({ id }) => id);
const named = keyed(({ name, domain }) => `${domain} ${normal(name)}`);
/** Those that may be the same. */
const likely = (items: readonly Fields[], item: Fields): readonly Fields[] =>
  item.id === undefined ? named(items, item) : ofId(items, item);

/** Where it is shown both times: the journal does not hold all of it. */
const differs = (before: unknown, after: unknown): boolean =>
  before !== undefined && after !== undefined && before !== after;

/** Whether an item that was added is shown with the secret that it was sent with. */
const isShownIn = (profile: Fields, list: List, body: Fields | undefined): boolean =>
  listOf(body?.[`${list}ToAdd`]).some((item) => {
    const secret = item[secrets[list]];
    return likely(listOf(profile[list]), item).some((one) => isNamed(one, item) && one[secrets[list]] === secret);
  });

/** The settings that could be put back, without what nobody but the service and its owner should have. */
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

/** The items of the lists without their secrets. It is written down again and again. */
const itemsOf = memoize((profile: Fields): Fields => {
  const items = lists.map((list) => [
    list,
    listOf(profile[list]).map(({ id, name, domain, expiry }) => ({ id, name, domain, expiry })),
  ]);
  return Object.fromEntries(items);
});
