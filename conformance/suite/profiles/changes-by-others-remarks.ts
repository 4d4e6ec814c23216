/** Describes what others changed on the profiles of a run, in sentences for the report. */
import { sameId } from '../../engine/rule/values.js';
import type { Evidence } from '../../engine/vocabulary.js';
import type { Setting } from './settings.js';
import type { Snapshot } from './snapshot.js';
import { replayUpdates } from './view.js';

/** `snapshots` know which changes of others were kept when the profile was put back. */
export function changesByOthersRemarks({ profiles }: Evidence, snapshots: readonly Snapshot[]): string[] {
  return profiles.flatMap((history) => {
    const { updates } = replayUpdates(history);
    const changed = updates.flatMap(({ byOthers, exchange }) => byOthers.map((setting) => ({ setting, exchange })));
    if (history.origin) return [];
    const kept = snapshots.find(({ id }) => sameId(id, history.profileId))?.byOthers ?? new Set();
    const settings = [...new Set([...changed.map(({ setting }) => setting), ...kept])];
    const [first] = changed;
    const cookies = updates.some(({ hasBrowser }) => hasBrowser)
      ? [`A browser used the profile ${history.profileId} during the run: its cookies changed by themselves.`]
      : [];
    if (settings.length === 0) return cookies;
    // Items that others added to a list stay. Changes of a flag by others cannot be told from the run's own.
    const isKept = (setting: Setting) => kept.has(setting) || setting === 'cookies' || setting === 'credentials';
    const lost = settings.filter((setting) => !isKept(setting));
    const seen = first ? ` (first seen in exchange #${first.exchange.id})` : '';
    return [
      `Somebody else changed the profile ${history.profileId} during the run: ${settings.join(', ')}${seen}.${said(' Kept', settings.filter(isKept))}${said(' Put back as before the run', lost)}`,
      ...cookies,
    ];
  });
}

const said = (what: string, settings: readonly Setting[]): string =>
  settings.length > 0 ? `${what}: ${settings.join(', ')}.` : '';
