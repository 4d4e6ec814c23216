/** Keeps account of copies, across runs: which this run and earlier ones made, and which still have to be tidied. */

import { isId } from '../../engine/outcome/ids.js';
import { mayHaveCopied } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, isFields } from '../../engine/outcome/read.js';
import { sameId } from '../../engine/rule/values.js';
import type { CopiesEntry, Journal, UncleanedCopy } from '../../engine/send/journal/journal.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** How many copies of earlier runs are remembered. */
const mostRemembered = 100;

/** The part of a description that is remembered, to recognise it. */
const beginning = (description: string): string => description.slice(0, 40);

/** Whether a copy still has the description that its run gave it, or may have given it. */
export const isAsLeft = (description: string, { description: first, since = [] }: UncleanedCopy): boolean =>
  description === first || since.includes(beginning(description));

/** Whether a copy was made, even if the request should have been refused. */
const showsCopy = (exchange: Exchange): boolean =>
  exchange.operation === 'duplicateProfile' && accepted(exchange) && isId(answerBody(exchange)?.id);

/** Copies of earlier runs: `tidied` ones are described as copies and emptied; the others were left by a killed run. */
export interface EarlierCopies {
  readonly tidied: readonly string[];
  readonly untidied: readonly UncleanedCopy[];
}

/** The copies that runs make of the declared profile. */
export class Copies {
  /** Copies that this run made or may have made, and pending requests that may make one. */
  #made = 0;
  beingMade = 0;
  /** Those that no answer told of. */
  lost = 0;
  /** The beginnings of the descriptions that this run gave to its copies: a later run recognises them. */
  readonly #described = new Map<string, Set<string>>();
  readonly #journal: Journal;
  readonly #baseUrl: string;
  readonly #profile: string;
  /** The last entry in the journal. */
  #entry: Promise<CopiesEntry>;

  constructor(journal: Journal, baseUrl: string, profile: string) {
    this.#journal = journal;
    this.#baseUrl = baseUrl;
    this.#profile = profile;
    this.#entry = Promise.resolve({ baseUrl, profile, copies: [], untidied: [] });
  }

  /** The most copies that there can be, including pending requests. */
  get mostMade(): number {
    return this.#made + this.beingMade;
  }

  noteAnswer(exchange: Exchange): void {
    if (!mayHaveCopied(exchange) && !showsCopy(exchange)) return;
    this.#made += 1;
    if (answerBody(exchange)?.id === undefined) this.lost += 1;
  }

  /** Records a copy of this run at once, so that the next run knows of it whatever becomes of this one. */
  made(copy: UncleanedCopy): Promise<unknown> {
    this.#described.set(copy.id, new Set());
    return this.#remembered(({ copies, untidied }) => ({
      copies: [copy.id, ...copies],
      untidied: [copy, ...untidied],
    }));
  }

  /** Records the description that an update gives to a copy of this run, before it is sent. */
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

  /** The copies of earlier runs: those that no exchange of this run made. */
  async earlier(exchanges: readonly Exchange[]): Promise<EarlierCopies> {
    const made = exchanges.filter(({ operation }) => operation === 'duplicateProfile');
    const isEarlier = (id: string) => !made.some((exchange) => sameId(answerBody(exchange)?.id, id));
    const { copies, untidied } = await this.#remembered();
    return {
      tidied: copies.filter((id) => isEarlier(id) && !untidied.some((copy) => sameId(copy.id, id))),
      untidied: untidied.filter(({ id }) => isEarlier(id)),
    };
  }

  /** Records that these copies are described as copies and emptied. */
  async tidied(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#remembered(({ copies, untidied }) => ({
      copies,
      untidied: untidied.filter((one) => !ids.some((id) => sameId(id, one.id))),
    }));
  }

  /** Forgets a copy that is gone, or belongs to somebody else by now. */
  forget(id: string): Promise<unknown> {
    return this.#remembered(({ copies, untidied }) => ({
      copies: copies.filter((one) => !sameId(one, id)),
      untidied: untidied.filter((one) => !sameId(one.id, id)),
    }));
  }

  /** What is remembered from run to run, after `change`. */
  #remembered(
    change?: (known: CopiesEntry) => Pick<CopiesEntry, 'copies' | 'untidied'>,
  ): Promise<Pick<CopiesEntry, 'copies' | 'untidied'>> {
    // Changes are queued: of two copies that are made at the same time, neither is lost.
    this.#entry = this.#entry.then(async (empty) => {
      const entries = await this.#journal.copies(this.#baseUrl);
      const entry = entries.find(({ profile }) => sameId(profile, this.#profile)) ?? {
        ...empty,
        copies: [],
        untidied: [],
      };
      if (!change) return entry;
      const { copies, untidied } = change(entry);
      const now = { ...entry, copies: copies.slice(0, mostRemembered), untidied: untidied.slice(0, mostRemembered) };
      await this.#journal.writeCopies(now);
      return now;
    });
    return this.#entry;
  }
}
