/** interface: Agent profile, name. Copies need unique names too. */

import { accepted, requestBody } from '../../../engine/outcome/read.js';
import { answeredAt } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { withEarlier } from '../../../engine/rule/pairs.js';
import { sameId } from '../../../engine/rule/values.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Exchange, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { atHome, duplicationsIn, eachCopy } from '../view.js';

/** Whether a copy was renamed before another exchange was answered. */
const isRenamed = (profiles: readonly ProfileHistory[], id: unknown, before: Exchange): boolean =>
  profiles.some(
    ({ profileId, exchanges }) =>
      sameId(profileId, id) &&
      exchanges.some(
        (one) => accepted(one) && typeof requestBody(one)?.name === 'string' && one.at <= answeredAt(before),
      ),
  );

export const copyNames = {
  /**
   * Seen: a copy in the organization of its source. Satisfied if it has another name than the source; violated if it
   * has the same, or that of another copy.
   */
  'duplicate-name-is-unique': {
    ...eachCopy((duplication) => {
      const { exchange, copy, source } = duplication;
      if (!atHome(duplication)) return undefined;
      return copy.name === source.profile.name
        ? violated([exchange, source.exchange], `a name other than ${jsonText(copy.name)}, the source's`, 'the same')
        : satisfied([exchange, source.exchange]);
    }),
    run({ profiles }) {
      // Recorded copies may have been renamed, or be gone.
      const copies = duplicationsIn(profiles).filter(({ exchange }) => exchange.mark);
      const alike = withEarlier(
        copies,
        (twin, { exchange, copy }) =>
          twin.copy.name === copy.name &&
          !isRenamed(profiles, twin.copy.id, exchange) &&
          sameId(twin.copy.organizationId, copy.organizationId) &&
          !sameId(twin.copy.id, copy.id),
      );
      return alike.map(([{ exchange, copy }, twin]) =>
        violated([exchange, twin.exchange], `a name other than ${jsonText(copy.name)}, another copy's`, 'the same'),
      );
    },
  },
} satisfies Judges;
