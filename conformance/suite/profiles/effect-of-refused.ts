/** Judges that a refused update had no effect. */

import { type Fields, requestBody } from '../../engine/outcome/read.js';
import { satisfied, violated } from '../../engine/rule/findings.js';
import { listOf, sameName } from '../../engine/rule/values.js';
import { jsonText } from '../../engine/rule/words.js';
import type { Exchange, Finding, Judge } from '../../engine/vocabulary.js';
import { eachUpdate } from './each-update.js';
import { mayChange, sameSetting, shownSettings } from './settings.js';
import { shownData } from './shown-data.js';
import type { Update } from './update.js';

/** Seen: the profile before and after a refused update that `is` picks. Satisfied if nothing of it shows. */
export const noEffectOfRefused = (is: (refusal: Exchange) => boolean): Judge =>
  eachUpdate((update) => {
    const refusals = update.refusals.filter(is);
    return refusals.length > 0 ? done(update, refusals) : undefined;
  });

function done(update: Update, refusals: readonly Exchange[]): Finding | undefined {
  const { before, exchange } = update;
  if (!before) return undefined;
  const taken = refusals.find((refusal) =>
    listOf(requestBody(refusal)?.credentialsToUpdate).some((item) => tookData(item, before, update)),
  );
  if (taken)
    return violated([exchange, taken, before.exchange], 'data of credentials as it was', 'that of the refused update');
  const change = update.changes.find(
    ({ cause, exchanges }) => cause === 'refused' && exchanges.some((one) => refusals.includes(one)),
  );
  if (change)
    return violated(
      change.exchanges,
      `${change.setting} ${jsonText(change.from)} after an update that was refused`,
      jsonText(change.to),
    );
  const telling = refusals.find((refusal) =>
    shownSettings.some((setting) => {
      const asked = requestBody(refusal) ?? {};
      const already = setting in asked && sameSetting(setting, asked[setting], before.profile[setting]);
      return mayChange(asked, setting) && !already && !mayChange(update.sent, setting);
    }),
  );
  return telling && satisfied([exchange, telling, before.exchange]);
}

/** Whether a credential now has the data of a refused update, and was seen with other data before. */
function tookData(item: Fields, before: Update, { profile, sent: asked }: Update): boolean {
  const was = shownData(before, item.name);
  const isNow = listOf(profile.credentials).some((one) => sameName(one.name, item.name) && one.data === item.data);
  return !mayChange(asked, 'credentials') && was !== undefined && was !== item.data && isNow;
}
