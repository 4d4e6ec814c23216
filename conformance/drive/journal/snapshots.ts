import type { Fields } from '../../evidence/read.js';
import type { LeftBehind } from '../../vocabulary.js';
import type { Journal, ProfileEntry } from './journal.js';
import { Snapshot } from './snapshot.js';

/** What profiles were before a run changed them. */
export class Snapshots {
  readonly #of = new Map<string, Snapshot>();
  readonly #journal: Journal;
  readonly #baseUrl: string;
  /** When the run began, in ISO 8601. */
  readonly #startedAt: string;

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

  /** Keeps what a profile is before it is changed, unless what it was before is not put back yet. */
  keep(profile: string, original: Fields): void {
    if (this.of(profile)?.dirty) return;
    const entry = { baseUrl: this.#baseUrl, profile, startedAt: this.#startedAt, original, touched: [], tries: 0 };
    this.#of.set(profile, new Snapshot({ ...entry, added: { cookies: [], credentials: [] } }, this.#journal));
  }

  /** Takes over what an ended run left changed. */
  resume(entry: ProfileEntry): void {
    this.#of.set(entry.profile, new Snapshot(entry, this.#journal, true));
  }

  /** What could not be put back. */
  get left(): LeftBehind[] {
    return this.all
      .filter(({ left }) => left.length > 0)
      .map(({ id, left }) => ({ kind: 'profile settings', id, note: `could not be put back: ${left.join('; ')}` }));
  }
}
