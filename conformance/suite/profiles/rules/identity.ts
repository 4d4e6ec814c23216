/** interface: Agent profile. What no update changes. */

import { answerBody } from '../../../engine/outcome/read.js';
import { precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { blur, instant, sameId, sameInstant } from '../../../engine/rule/values.js';
import { shown } from '../../../engine/rule/words.js';
import type { Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { course } from '../course.js';
import type { Taken } from '../update.js';

export const profileIdentities = {
  /**
   * Seen: an accepted update. Satisfied if id, organizationId and createdAt are the same, and updatedAt not earlier.
   */
  'update-keeps-identity': {
    profile(history) {
      const { updates } = course(history);
      /** The update with the latest time. Compared with that, many small steps back add up. */
      let latest: Taken | undefined;
      return updates.map((update) => {
        const finding = identity(history, update, updates[0], latest);
        const [from, to] = [latest, update].map((one) => instant(one?.profile.updatedAt));
        if (to !== undefined && (from === undefined || to > from)) latest = update;
        return finding;
      });
    },
  },
} satisfies Judges;

function identity(
  { profileId, origin }: ProfileHistory,
  update: Taken,
  first: Taken | undefined,
  last: Taken | undefined,
): Finding {
  const { exchange, profile } = update;
  if (!sameId(profile.id, profileId)) return violated(exchange, `id ${profileId}`, shown(profile.id));
  if (first && !sameId(profile.organizationId, first.profile.organizationId))
    return violated(
      [exchange, first.exchange],
      `organizationId ${shown(first.profile.organizationId)}`,
      shown(profile.organizationId),
    );
  // A copy was created when the answer to its duplication says.
  const initial = origin ?? first?.exchange;
  const createdAt = initial && answerBody(initial)?.createdAt;
  if (initial && createdAt !== undefined && !sameInstant(profile.createdAt, createdAt))
    return violated([exchange, initial], `createdAt ${shown(createdAt)}`, shown(profile.createdAt));
  const [from, to] = [instant(last?.profile.updatedAt), instant(profile.updatedAt)];
  if (!last || from === undefined || to === undefined || !precedes(last.exchange, exchange)) return satisfied(exchange);
  const both = [exchange, last.exchange];
  return to + blur(from, to) <= from
    ? violated(both, `updatedAt ${shown(last.profile.updatedAt)} or later`, shown(profile.updatedAt))
    : satisfied(both);
}
