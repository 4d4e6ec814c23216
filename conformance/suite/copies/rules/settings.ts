/** interface: POST duplicate, all settings. */

import { idSettings, openFlags } from '../../../../generated/flags.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import {
  differingUnnamed,
  mayChange,
  proxySettings,
  type Setting,
  sameSetting,
  shownSettings,
} from '../../profiles/settings.js';
import type { Duplication } from '../../profiles/update.js';
import { replayUpdates } from '../../profiles/view.js';
import { atHome, type Copied, eachCopy } from '../view.js';

/** Not compared: the name and inbox, which are a copy's own; cookies and credentials have their own rules. */
const own: readonly Setting[] = ['name', 'inboxEmail', 'inboxEmailPrefix', 'cookies', 'credentials'];

const copied = shownSettings.filter((setting) => !own.includes(setting));

/** Settings that refer to things of an organization, which another one may not have. */
const organizations: readonly Setting[] = ['extensionIds', ...idSettings];

/** Flags whose setting depends on who asks, not on the profile. */
const personalFlags: readonly Setting[] = openFlags
  .map(({ flag }) => flag)
  .filter((flag) => !proxySettings.includes(flag));

/** A setting without a name in the contract, recognised by its value, that the copy lacks. */
const lostUnnamed = ({ copy, source }: Copied): string | undefined => differingUnnamed(source.profile, copy);

/** Whether the run's key may turn on a flag that not every key may: it did so before, and it makes this copy. */
const maySet = (flag: Setting, { exchange: copying }: Copied, history: ProfileHistory): boolean =>
  copying.mark !== undefined &&
  replayUpdates(history).some(
    ({ exchange, sent: asked, profile }) =>
      exchange.mark !== undefined && exchange.id < copying.id && asked[flag] === true && profile[flag] === true,
  );

/** Whether the source's next reading shows the same as the copy: it changed before it was copied, or with it. */
const isAlike = (setting: Setting, { copy, next }: Duplication): boolean =>
  next !== undefined && !mayChange(next.sent, setting) && sameSetting(setting, next.profile[setting], copy[setting]);

/** Whether the source was seen to change by itself, so that its state when copied is unknown. */
const isUnsteady = (setting: Setting, history: ProfileHistory): boolean =>
  replayUpdates(history).at(-1)?.selfChanging.has(setting) === true;

export const copiedSettings = {
  /** Judges a copy beside its source. Passes if all shown settings are the same, violated by one that is not. */
  'duplicate-copies-settings': eachCopy((duplication, history) => {
    const { exchange, copy, source } = duplication;
    const isHome = atHome(duplication);
    const differing = copied.find(
      (setting) =>
        (isHome || !organizations.includes(setting)) &&
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
      ? violated(both, `${lost} ${jsonText(source.profile[lost])}, as in the source`, jsonText(copy[lost]))
      : satisfied(both);
  }),
} satisfies Judges;
