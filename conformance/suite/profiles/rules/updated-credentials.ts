/** interface: PATCH agent-profiles, credentialsToUpdate. */

import { outcomeOf } from '../../../engine/outcome/outcome.js';
import type { Fields } from '../../../engine/outcome/read.js';
import { combined } from '../../../engine/rule/combined.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { itemsOf, listOf, sameId, sameName } from '../../../engine/rule/values.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Finding, Judges } from '../../../engine/vocabulary.js';
import { eachRefusal, eachUpdate } from '../each-update.js';
import { damagedItem, updatePair } from '../items-to-keep.js';
import { asksTo, credentials } from '../lists.js';
import { isHidden, shownData } from '../shown-data.js';
import type { RefusedUpdate, Update } from '../update.js';

/** A credential that an update names in another case than the profile does, and its state before. */
function renamed({ sent, before }: Update | RefusedUpdate): { item: Fields; was: Fields } | undefined {
  for (const item of listOf(sent.credentialsToUpdate)) {
    const was = listOf(before?.profile.credentials).find(({ name }) => sameName(name, item.name));
    if (was && was.name !== item.name) return { item, was };
  }
  return undefined;
}

/** Seen: an update by a name in another case. Satisfied if each found its credential, and changed no other. */
function updated(update: Update): Finding | undefined {
  const { sent, profile, before } = update;
  const items = listOf(sent.credentialsToUpdate);
  if (!before || items.length === 0) return undefined;
  const named = (list: unknown, { name }: Fields) => listOf(list).filter((one) => sameName(one.name, name));
  for (const item of items) {
    const [was, ...others] = named(before.profile.credentials, item);
    const [now, ...more] = named(profile.credentials, item);
    if (!was) continue;
    if (!now && !itemsOf(sent.credentialsToDelete).some((id) => sameId(id, was.id)))
      return violated(updatePair(update), `${jsonText(was.name)} kept, under its name`, 'no such');
    if (more.length > others.length)
      return violated(
        updatePair(update),
        `${jsonText(was.name)} updated, and none added`,
        `${more.length + 1} of that name`,
      );
    const isShown = shownData(before, item.name) !== undefined;
    if (now && isShown && now.data !== item.data && !isHidden(now.data, item.data, update))
      return violated(updatePair(update), `${jsonText(was.name)} with the data sent`, 'other data');
  }
  const other = asksTo(update, credentials.toDelete) ? undefined : damagedItem(update, credentials, 'updated');
  return other ?? (renamed(update) && satisfied(updatePair(update)));
}

export const updatedCredentials = {
  /**
   * Seen: an update of a credential by its name in another case. Satisfied if that one has the new data, and no other
   * changed; violated if it is not found, is doubled, or keeps its data.
   */
  'credentials-update-ignores-case': combined(eachUpdate(updated), eachRefusal(notFound)),
} satisfies Judges;

/** Finds a refused update that only asks to update a credential by its name in another case. */
function notFound(refusal: RefusedUpdate): Finding | undefined {
  const { exchange, sent, before } = refusal;
  const pair = renamed(refusal);
  return pair && before && Object.keys(sent).length === 1 && outcomeOf(exchange).kind === 'refused'
    ? violated([exchange, before.exchange], `${jsonText(pair.was.name)} found as ${jsonText(pair.item.name)}`)
    : undefined;
}
