/** interface: POST duplicate. Neither a copy nor its source changes with the other. */

import { accepted, isMeantToPass } from '../../../engine/outcome/read.js';
import { notTaken, satisfied, violated } from '../../../engine/rule/findings.js';
import { sameId } from '../../../engine/rule/values.js';
import { shown } from '../../../engine/rule/words.js';
import type { Finding, Judges } from '../../../engine/vocabulary.js';
import type { Update } from '../../profiles/update.js';
import { goneAfter } from '../../profiles/vanished-profiles.js';
import { replayUpdates } from '../../profiles/view.js';
import { duplicationsIn } from '../view.js';

export const independent = {
  // Seen: an update of a copy. Violated where it is refused, or where the source changed while copies of it were made.
  'duplicate-is-independent': {
    profile: (history) => replayUpdates(history).updates.flatMap((update) => changedTogether(update) ?? []),
    run({ profiles, exchanges: all }) {
      const copies = duplicationsIn(profiles);
      const vanished = copies.flatMap(({ exchange }) =>
        goneAfter(exchange, all)
          .filter(({ profileId }) => sameId(profileId, exchange.resource))
          .map(({ found, missed }) =>
            violated([missed, exchange, found], 'the source still there after it was duplicated'),
          ),
      );
      const updated = profiles.flatMap(({ profileId, exchanges }) => {
        const copy = copies.find((one) => sameId(one.copy.id, profileId));
        const tried = exchanges.filter((one) => one.operation === 'updateProfile' && isMeantToPass(one));
        const update = tried.find(accepted) ?? tried[0];
        if (!copy || !update || !copy.exchange.mark) return [];
        if (accepted(update)) return satisfied([copy.exchange, update]);
        return notTaken(update, copy.exchange, 'a copy that can be updated');
      });
      return [...vanished.slice(0, 1), ...updated];
    },
  },
} satisfies Judges;

function changedTogether({ changes }: Update): Finding | undefined {
  const change = changes.find(({ cause }) => cause === 'copied');
  const required = `${change?.setting} ${shown(change?.from)}, whatever became of a copy or its source`;
  return change && violated(change.exchanges, required, shown(change.to));
}
