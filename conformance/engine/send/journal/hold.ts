import { placeOf } from '../../settings/base-url.js';
import type { Facts } from '../../vocabulary.js';
import { hold, type Release } from './lock.js';

/** Another run still uses what this one would change. */
export class BusyError extends Error {
  /** As a run that did not find out what it was asked for. */
  readonly exitCode = 3;
}

export interface Waiting {
  /** Where runs of this user tell one another what they use. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Is told why the run waits, or why it cannot know whether it should. */
  readonly say: (text: string) => void;
}

/** What a run changes of a service: two that did at once would blame the service for one another. */
export function changedBy({ allow, stateful, profile, profileGroup, capacity, pool }: Facts): string[] {
  if (allow === 'read' || !stateful) return [];
  return [profile, profileGroup, capacity?.profileGroup, pool].filter((id) => id !== undefined);
}

/**
 * Keeps other runs of this user from what this one would change, and says so where it waits for one. Throws a BusyError where
 * the signal ends the wait. What it gives lets go of it all.
 */
export async function holdThings(
  baseUrl: string,
  ids: readonly string[],
  { folder, signal, say }: Waiting,
): Promise<Release> {
  if (ids.length === 0) return async () => {};
  const things = ids.map((id) => `${placeOf(baseUrl)} ${id}`);
  const waits = (holder: string) =>
    say(`another run uses what this one would change (${holder}); waiting until it ends.`);
  const held = await hold(folder, things, signal, waits).catch((error: Error) => {
    say(
      `cannot tell whether another run uses the same things: ${error.message}. Set XDG_STATE_HOME to another folder.`,
    );
    return async () => {};
  });
  if (!held) throw new BusyError('another run still uses what this one would change: nothing was sent.');
  return held;
}
