/** What others changed on the profiles of a run while it went on, in words: the run puts back what was there before it. */
import type { Evidence } from '../../engine/vocabulary.js';
import { account } from './view.js';

export function changesOfOthers({ profiles }: Evidence): string[] {
  return profiles.flatMap((history) => {
    const { updates } = account(history);
    const changed = updates.flatMap(({ foreign, exchange }) => foreign.map((setting) => ({ setting, exchange })));
    if (history.origin) return [];
    const [first] = changed;
    const cookies = updates.some(({ isBrowsed }) => isBrowsed)
      ? [`A browser used the profile ${history.profileId} during the run: its cookies changed by themselves.`]
      : [];
    if (!first) return cookies;
    const settings = [...new Set(changed.map(({ setting }) => setting))].join(', ');
    return [
      `Somebody else changed the profile ${history.profileId} during the run: ${settings} (first seen in exchange #${first.exchange.id}). What the run changed as well was put back as it was before.`,
      ...cookies,
    ];
  });
}
