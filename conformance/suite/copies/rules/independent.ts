/** interface: POST duplicate. A copy and its source do not change with each other. */

import { shownFlags } from '../../../../generated/flags.js';
import { isOfRun } from '../../../engine/outcome/mark.js';
import { notAccepted } from '../../../engine/outcome/outcome.js';
import { accepted, isMeantToPass, requestBody, status } from '../../../engine/outcome/read.js';
import { isAfterReplicaLag, precedes } from '../../../engine/outcome/when.js';
import { combined, inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { answerText, has, jsonText, sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Judges } from '../../../engine/vocabulary.js';
import { updatesProfile } from '../../operations.js';
import { type Setting, sameSetting, shownSettings } from '../../profiles/settings.js';
import type { Update } from '../../profiles/update.js';
import { goneAfter, updatesOf } from '../../profiles/updates-and-copies.js';
import { eachUpdate } from '../../profiles/view.js';
import { duplicationsIn } from '../view.js';

export const independent = {
  // Judges an update of a copy. Fails if it is refused, if source and copies change together, or the source is gone.
  'duplicate-is-independent': combined(
    eachUpdate(changedTogether),
    { run: sourceGone },
    { run: canBeUpdated },
    { run: declaredFollows },
  ),
} satisfies Judges;

function changedTogether({ changes }: Update): Finding | undefined {
  const change = changes.find(({ cause }) => cause === 'copied');
  const required = `${change?.setting} ${jsonText(change?.from)}, whatever became of a copy or its source`;
  return change && violated(change.exchanges, required, jsonText(change.to));
}

/** Settings whose values tell who sent them; of a flag another client may have set either. */
const telling = shownSettings.filter(
  (one) => !shownFlags.some((flag) => flag === one) && one !== 'name' && one !== 'inboxEmail',
);

/** Finds what the run sent to a copy in a later copy of a profile that the run never updates, and not in an earlier one. */
function declaredFollows({ profiles, exchanges }: Evidence): Finding[] {
  return profiles.flatMap((history) => {
    const { updates, duplications } = updatesOf(history);
    const [first, ...others] = updates.length > 0 ? [] : duplications.filter(({ exchange }) => isOfRun(exchange));
    return others.flatMap((later): Finding | [] => {
      if (!first) return [];
      const sent = exchanges.filter(
        (one) => updatesProfile(one) && accepted(one) && precedes(first.exchange, one) && precedes(one, later.exchange),
      );
      for (const setting of telling) {
        const [was, is] = [first.copy[setting], later.copy[setting]];
        const by = sameSetting(setting, was, is) ? undefined : sent.findLast((one) => shows(setting, one, is));
        const required = `${setting} ${jsonText(was)}, as the first copy of the profile, whatever became of copies`;
        if (by) return violated([later.exchange, by, first.exchange], required, jsonText(is));
      }
      return satisfied([later.exchange, first.exchange]);
    });
  });
}

/** Whether an update sent what a setting became. */
function shows(setting: Setting, update: Exchange, is: unknown): boolean {
  const body = requestBody(update) ?? {};
  return has(body, setting) && sameSetting(setting, body[setting], is);
}

/** Finds a source that is gone after it was duplicated. */
function sourceGone({ profiles, exchanges }: Evidence): Finding | undefined {
  const [gone] = duplicationsIn(profiles).flatMap(({ exchange }) =>
    goneAfter(exchange, exchanges)
      .filter(({ profileId }) => sameId(profileId, exchange.resource))
      .map(({ found, missed }) =>
        violated([missed, exchange, found], 'the source still there after it was duplicated'),
      ),
  );
  return gone;
}

function canBeUpdated({ profiles }: Evidence): Finding[] {
  const copies = duplicationsIn(profiles);
  return profiles.flatMap(({ profileId, exchanges }) => {
    const copy = copies.find((one) => sameId(one.copy.id, profileId));
    const tried = exchanges.filter((one) => updatesProfile(one) && isMeantToPass(one));
    const update = tried.find(accepted) ?? tried[0];
    const last = tried.at(-1);
    if (!copy || !update || !last || !isOfRun(copy.exchange)) return [];
    const isGone = status(last) === 404 && isAfterReplicaLag(last, copy.exchange);
    if (accepted(update))
      return isGone
        ? violated([last, copy.exchange, update], 'a copy that can still be updated', answerText(last))
        : satisfied([copy.exchange, update]);
    // Which fields an update needs is not shown: the refusal of an update may be for one that it lacks.
    if (status(update) !== 404) return inconclusive(update, `Each update of the copy ${profileId} was refused.`);
    return notAccepted(update, copy.exchange, 'a copy that can be updated');
  });
}
