/** interface: POST duplicate, all settings. */

import { idSettings } from '../../../../generated/flags.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { shown } from '../../../engine/rule/words.js';
import type { Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { personalFlags, type Setting, sameSetting, shownSettings, touches } from '../../profiles/settings.js';
import { differingUnnamed } from '../../profiles/unnamed-settings.js';
import type { Duplication } from '../../profiles/update.js';
import { replayUpdates } from '../../profiles/view.js';
import { atHome, type Copied, eachCopy } from '../view.js';

/** Its own are the name and the inbox; cookies and credentials have rules of their own. */
const own: readonly Setting[] = ['name', 'inboxEmail', 'inboxEmailPrefix', 'cookies', 'credentials'];

const copied = shownSettings.filter((setting) => !own.includes(setting));

/** What names things of an organization: another one may not have them. */
const organizations: readonly Setting[] = ['extensionIds', ...idSettings];

/** A setting that the contract does not name, known by its value, and that the copy does not have. */
const lostUnnamed = ({ copy, source }: Copied): string | undefined => differingUnnamed(source.profile, copy);

/** Whether the run's own key may set a flag that not everybody may: it turned it on before, and here it copies. */
const maySet = (flag: Setting, { exchange: copying }: Copied, history: ProfileHistory): boolean =>
  copying.mark !== undefined &&
  replayUpdates(history).updates.some(
    ({ exchange, sent: asked, profile }) =>
      exchange.mark !== undefined && exchange.id < copying.id && asked[flag] === true && profile[flag] === true,
  );

/** Whether the source has what the copy has, as the next look at it tells: it was changed before it was copied, or with it. */
const isAlike = (setting: Setting, { copy, next }: Duplication): boolean =>
  next !== undefined && !touches(next.sent, setting) && sameSetting(setting, next.profile[setting], copy[setting]);

/** Whether the source was seen to change by itself, or by somebody else: then nobody knows what it was when it was copied. */
const isUnsteady = (setting: Setting, history: ProfileHistory): boolean => {
  const { updates } = replayUpdates(history);
  return (
    updates.at(-1)?.selfChanging.has(setting) === true ||
    updates.some(({ foreign, copies }) => foreign.includes(setting) && copies.length === 0)
  );
};

export const copiedSettings = {
  /**
   * Seen: a copy beside its source. Satisfied where all settings that are shown are the same, broken at the first that is not.
   */
  'duplicate-copies-settings': eachCopy((duplication, history) => {
    const { exchange, copy, source } = duplication;
    const isHome = atHome(duplication);
    const { others } = replayUpdates(history);
    const differing = copied.find(
      (setting) =>
        (isHome || !organizations.includes(setting)) &&
        !others.has(setting) &&
        !sameSetting(setting, source.profile[setting], copy[setting]) &&
        !isAlike(setting, duplication) &&
        !isUnsteady(setting, history) &&
        !(
          personalFlags.includes(setting) &&
          copy[setting] === false &&
          !(isHome && maySet(setting, duplication, history))
        ),
    );
    const both = [exchange, source.exchange];
    const lost = differing ?? lostUnnamed(duplication);
    return lost
      ? violated(both, `${lost} ${shown(source.profile[lost])}, as in the source`, shown(copy[lost]))
      : satisfied(both);
  }),
} satisfies Judges;
