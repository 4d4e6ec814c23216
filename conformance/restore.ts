import './suite/contract.js';
import type { Transport } from './engine/http/transport.js';
import { type Clock, systemClock } from './engine/send/clock.js';
import type { Journal } from './engine/send/journal/journal.js';
import { type Progress, quiet } from './engine/send/progress.js';
import type { LeftBehind, Target } from './engine/vocabulary.js';
import { tidyEarlier } from './suite/copies/earlier.js';
import { Driver } from './suite/driver.js';
import { putBackEarlier } from './suite/profiles/editor.js';
import { Session } from './suite/session.js';

export interface RestoreOptions {
  readonly target: Target;
  readonly journal: Journal;
  readonly progress?: Progress;
  readonly transport?: Transport;
  readonly clock?: Clock;
}

export interface Restored {
  /** The profiles that ended runs had left changed. */
  readonly profiles: readonly string[];
  /** What could not be put back. */
  readonly left: readonly LeftBehind[];
  /** Copies that killed runs had left, and what became of each. */
  readonly copies: readonly LeftBehind[];
}

/** Puts back what ended runs left changed on a target. */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { target, journal, progress = quiet, clock = systemClock } = options;
  const transport: Transport & { close?(): Promise<void> } =
    options.transport ?? (await import('./engine/http/http.js')).httpTransport(process.env, target.clientCertificate);
  // Whoever asks for it wants it tried for as long as the first time.
  const entries = (await journal.profiles(target.facts.baseUrl)).map((entry) => ({ ...entry, tries: 0 }));
  const sessionOn = ({ facts }: Target) => new Session({ ...target, facts }, { transport, clock, seed: 1, journal });
  const session = sessionOn(target);
  progress.started('restore');
  try {
    await putBackEarlier(new Driver(session, 'restore', progress), entries);
    const copies: LeftBehind[] = [];
    for (const { profile } of (await journal.copies(target.facts.baseUrl)).filter(
      ({ untidied }) => untidied.length > 0,
    )) {
      const driver = new Driver(sessionOn({ ...target, facts: { ...target.facts, profile } }), 'restore', progress);
      copies.push(...(await tidyEarlier(driver)));
    }
    return { profiles: entries.map(({ profile }) => profile), left: session.snapshots.left, copies };
  } finally {
    progress.ended('restore', 'done');
    progress.finish();
    if (!options.transport) await transport.close?.();
  }
}
