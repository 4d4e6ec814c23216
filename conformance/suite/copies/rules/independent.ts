/** interface: POST duplicate. A copy and its source do not change with each other. */

import { accepted, isMeantToPass } from '../../../engine/outcome/read.js';
import { combined } from '../../../engine/rule/combined.js';
import { notAccepted, satisfied, violated } from '../../../engine/rule/findings.js';
import { sameId } from '../../../engine/rule/values.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Evidence, Finding, Judges } from '../../../engine/vocabulary.js';
import { eachUpdate } from '../../profiles/each-update.js';
import type { Update } from '../../profiles/update.js';
import { goneAfter } from '../../profiles/vanished-profiles.js';
import { duplicationsIn } from '../view.js';

export const independent = {
  // Seen: an update of a copy. Violated if it is refused, if source and copies change together, or the source is gone.
  'duplicate-is-independent': combined(eachUpdate(changedTogether), { run: sourceGone }, { run: canBeUpdated }),
} satisfies Judges;

function changedTogether({ changes }: Update): Finding | undefined {
  const change = changes.find(({ cause }) => cause === 'copied');
  const required = `${change?.setting} ${jsonText(change?.from)}, whatever became of a copy or its source`;
  return change && violated(change.exchanges, required, jsonText(change.to));
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
    const tried = exchanges.filter((one) => one.operation === 'updateProfile' && isMeantToPass(one));
    const update = tried.find(accepted) ?? tried[0];
    if (!copy || !update || !copy.exchange.mark) return [];
    if (accepted(update)) return satisfied([copy.exchange, update]);
    return notAccepted(update, copy.exchange, 'a copy that can be updated');
  });
}
