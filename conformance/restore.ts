/** Undoes what earlier runs left changed: the command `restore`. */
import './suite/contract.js';
import type { Transport } from './engine/http/transport.js';
import { sameId } from './engine/rule/values.js';
import { type Clock, systemClock } from './engine/send/clock.js';
import type { Journal, ProfileEntry } from './engine/send/journal/journal.js';
import { type Progress, quiet } from './engine/send/progress.js';
import type { LeftBehind } from './engine/vocabulary/report.js';
import type { Target } from './engine/vocabulary.js';
import { tidyEarlier } from './suite/copies/earlier.js';
import { Driver } from './suite/driver.js';
import { Editor, putBackEarlier } from './suite/profiles/editor.js';
import { unreadable } from './suite/profiles/restore.js';
import { Session } from './suite/session.js';

export interface RestoreOptions {
  readonly target: Target;
  readonly journal: Journal;
  readonly progress?: Progress;
  readonly transport?: Transport;
  readonly clock?: Clock;
}

export interface Restored {
  /** Profiles that ended runs had left changed. */
  readonly profiles: readonly string[];
  /** What could not be restored. */
  readonly left: readonly LeftBehind[];
  /** Copies that killed runs had left, and what became of them. */
  readonly copies: readonly LeftBehind[];
}

/** Restores what ended runs left changed on a target. */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { target, journal, progress = quiet, clock = systemClock } = options;
  const transport: Transport & { close?(): Promise<void> } =
    options.transport ?? (await import('./engine/http/http.js')).httpTransport(process.env, target.clientCertificate);
  // The user asked for it, so earlier failures do not count.
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
    const noted = await stillChanged(sessionOn(target), progress, entries);
    return {
      profiles: entries.map(({ profile }) => profile),
      left: [...session.snapshots.left, ...noted],
      copies,
    };
  } finally {
    progress.ended('restore', 'done');
    progress.finish();
    if (!options.transport) await transport.close?.();
  }
}

/** What the profile's own description says: the run that changed it may have been on another machine. */
async function stillChanged(
  session: Session,
  progress: Progress,
  entries: readonly ProfileEntry[],
): Promise<readonly LeftBehind[]> {
  const { profile } = session.target.facts;
  if (profile === undefined || entries.some((entry) => sameId(entry.profile, profile))) return [];
  const editor = new Editor(new Driver(session, 'restore', progress), profile);
  const isRead = await editor.open('noted');
  const { leftBehind } = editor.driver;
  return isRead || leftBehind.length > 0
    ? leftBehind
    : [{ kind: 'profile settings', id: profile, note: unreadable(editor.closed) }];
}
