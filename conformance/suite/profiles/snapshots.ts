import { type Fields, isClientError, isFields } from '../../engine/outcome/read.js';
import { listOf } from '../../engine/rule/values.js';
import type { Journal, ProfileEntry } from '../../engine/send/journal/journal.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { LeftBehind } from '../../engine/vocabulary/report.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { Snapshot } from './snapshot.js';

/** The snapshots of all profiles that a run changes. */
export class Snapshots {
  readonly #of = new Map<string, Snapshot>();
  readonly #journal: Journal;
  readonly #baseUrl: string;
  /** When the run began, in ISO 8601. */
  readonly #startedAt: string;
  readonly #sent = new Set<unknown>();
  /** The updates of any profile that were not refused. */
  readonly #asked: Exchange[] = [];

  constructor(journal: Journal, baseUrl: string, startedAt: string) {
    this.#journal = journal;
    this.#baseUrl = baseUrl;
    this.#startedAt = startedAt;
  }

  of(profile: string): Snapshot | undefined {
    return this.#of.get(profile);
  }

  get all(): readonly Snapshot[] {
    return [...this.#of.values()];
  }

  /** Records what an update of any profile asks for, before it is sent. */
  async beforeSending(ask: RequestSpec): Promise<void> {
    const body = isFields(ask.body) ? ask.body : {};
    for (const field of ['credentialsToAdd', 'credentialsToUpdate'])
      for (const { data } of listOf(body[field])) this.#sent.add(data);
    for (const snapshot of this.all) snapshot.names(body);
    await this.of(ask.id)?.beforeSending(ask);
  }

  /** Takes in the answer to an update of any profile. */
  noteAnswer(exchange: Exchange): void {
    this.of(exchange.resource ?? '')?.noteAnswer(exchange, this.#asked);
    if (!isClientError(exchange)) this.#asked.push(exchange);
  }

  /** Keeps the state of a profile before it is changed, unless an earlier state is still to be put back. */
  keep(profile: string, original: Fields): void {
    const earlier = this.of(profile);
    if (earlier?.isChanged || earlier?.isApart) return;
    const entry = { baseUrl: this.#baseUrl, profile, startedAt: this.#startedAt, original, touched: [], tries: 0 };
    const snapshot = new Snapshot({ ...entry, added: { cookies: [], credentials: [] } }, this.#journal, this.#sent);
    for (const setting of earlier?.byOthers ?? []) snapshot.byOthers.add(setting);
    this.#of.set(profile, snapshot);
  }

  /** Takes over what an earlier run left changed. */
  resume(entry: ProfileEntry): void {
    this.#of.set(entry.profile, new Snapshot(entry, this.#journal, this.#sent, true));
  }

  /** What could not be put back. */
  get left(): LeftBehind[] {
    return this.all
      .filter(({ left }) => left.length > 0)
      .map(({ id, left }) => ({ kind: 'profile settings', id, note: `could not be put back: ${left.join('; ')}` }));
  }
}
