import { mayHaveCopied } from '../../engine/outcome/outcome.js';
import { accepted, answer, isFields } from '../../engine/outcome/read.js';
import { isUuid, sameId } from '../../engine/rule/values.js';
import type { CopiesEntry, Journal, UntidiedCopy } from '../../engine/send/journal/journal.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** Copies of earlier runs that are remembered. */
const mostRemembered = 100;

/** As much of a description as tells it from others. */
const beginning = (description: string): string => description.slice(0, 40);

/** Whether a copy is described as its run left it, or may have. */
export const isAsLeft = (description: string, { description: first, since = [] }: UntidiedCopy): boolean =>
  description === first || since.includes(beginning(description));

/** One was made, also where the request was to be refused. */
const showsCopy = (exchange: Exchange): boolean =>
  exchange.operation === 'duplicateProfile' && accepted(exchange) && isUuid(answer(exchange)?.id);

/** What earlier runs made: ids of what is described as a copy and emptied, and what a killed run left as it was. */
export interface EarlierCopies {
  readonly tidied: readonly string[];
  readonly untidied: readonly UntidiedCopy[];
}

/** The copies that runs make of the declared profile: this one, and those before it. */
export class Copies {
  /** Those that this run made, or may have made, and requests under way that may make one. */
  #made = 0;
  beingMade = 0;
  /** Those of them of which no answer told. */
  lost = 0;
  /** What this run described its copies as: by the beginning a later run knows that nobody else did. */
  readonly #described = new Map<string, Set<string>>();
  readonly #journal: Journal;
  readonly #baseUrl: string;
  readonly #profile: string;
  /** What the journal was last told. */
  #entry: Promise<CopiesEntry>;

  constructor(journal: Journal, baseUrl: string, profile: string) {
    this.#journal = journal;
    this.#baseUrl = baseUrl;
    this.#profile = profile;
    this.#entry = Promise.resolve({ baseUrl, profile, copies: [], untidied: [] });
  }

  /** How many there are at most, with those that are about to be made. */
  get most(): number {
    return this.#made + this.beingMade;
  }

  hears(exchange: Exchange): void {
    if (!mayHaveCopied(exchange) && !showsCopy(exchange)) return;
    this.#made += 1;
    if (answer(exchange)?.id === undefined) this.lost += 1;
  }

  /** One that this run made. Whatever becomes of the run, the next one knows of it. */
  made(copy: UntidiedCopy): Promise<unknown> {
    this.#described.set(copy.id, new Set());
    return this.#remembered(({ copies, untidied }) => ({
      copies: [copy.id, ...copies],
      untidied: [copy, ...untidied],
    }));
  }

  /** Notes what an update describes a copy of this run as, before it is sent. */
  async beforeSending({ id, body }: RequestSpec): Promise<void> {
    const { description } = isFields(body) ? body : {};
    const described = this.#described.get(id);
    if (typeof description !== 'string' || !described || described.has(beginning(description))) return;
    described.add(beginning(description));
    const since = [...described];
    await this.#remembered(({ copies, untidied }) => ({
      copies,
      untidied: untidied.map((one) => (sameId(one.id, id) ? { ...one, since } : one)),
    }));
  }

  /** Those that earlier runs made: no exchange of this one did. */
  async earlier(exchanges: readonly Exchange[]): Promise<EarlierCopies> {
    const made = exchanges.filter(({ operation }) => operation === 'duplicateProfile');
    const isEarlier = (id: string) => !made.some((exchange) => sameId(answer(exchange)?.id, id));
    const { copies, untidied } = await this.#remembered();
    return {
      tidied: copies.filter((id) => isEarlier(id) && !untidied.some((copy) => sameId(copy.id, id))),
      untidied: untidied.filter(({ id }) => isEarlier(id)),
    };
  }

  /** These say what they are, and hold no more than they have to. */
  async tidied(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#remembered(({ copies, untidied }) => ({
      copies,
      untidied: untidied.filter((one) => !ids.some((id) => sameId(id, one.id))),
    }));
  }

  /** One that is gone, or somebody else's by now. */
  forget(id: string): Promise<unknown> {
    return this.#remembered(({ copies, untidied }) => ({
      copies: copies.filter((one) => !sameId(one, id)),
      untidied: untidied.filter((one) => !sameId(one.id, id)),
    }));
  }

  /** What is remembered from run to run; after a change, where one is given. */
  #remembered(
    change?: (known: CopiesEntry) => Pick<CopiesEntry, 'copies' | 'untidied'>,
  ): Promise<Pick<CopiesEntry, 'copies' | 'untidied'>> {
    // One after the other: of two copies that are made at the same time neither is forgotten.
    this.#entry = this.#entry.then(async (empty) => {
      const entries = await this.#journal.copies(this.#baseUrl);
      const known = entries.find(({ profile }) => sameId(profile, this.#profile)) ?? {
        ...empty,
        copies: [],
        untidied: [],
      };
      if (!change) return known;
      const { copies, untidied } = change(known);
      const now = { ...known, copies: copies.slice(0, mostRemembered), untidied: untidied.slice(0, mostRemembered) };
      await this.#journal.writeCopies(now);
      return now;
    });
    return this.#entry;
  }
}
