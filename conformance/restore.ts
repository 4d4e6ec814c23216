import { type Clock, systemClock } from './drive/clock.js';
import { Driver } from './drive/driver.js';
import type { Journal } from './drive/journal/journal.js';
import { putBackEarlier } from './drive/journeys/editor.js';
import { type Progress, quiet } from './drive/progress.js';
import { Session } from './drive/session.js';
import type { Transport } from './drive/wire/transport.js';
import type { Target } from './settings/target/target.js';
import type { LeftBehind } from './vocabulary.js';

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
}

/** Puts back what ended runs left changed on a target. */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { target, journal, progress = quiet, clock = systemClock } = options;
  const transport: Transport & { close?(): Promise<void> } =
    options.transport ?? (await import('./drive/wire/http.js')).httpTransport(process.env, target.clientCertificate);
  // Whoever asks for it wants it tried for as long as the first time.
  const entries = (await journal.profiles(target.facts.baseUrl)).map((entry) => ({ ...entry, tries: 0 }));
  const session = new Session(target, { transport, clock, seed: 1, journal });
  const driver = new Driver(session, 'restore', progress);
  progress.started('restore');
  try {
    await putBackEarlier(driver, entries);
    return { profiles: entries.map(({ profile }) => profile), left: session.snapshots.left };
  } finally {
    progress.ended('restore', 'done');
    progress.finish();
    if (!options.transport) await transport.close?.();
  }
}
