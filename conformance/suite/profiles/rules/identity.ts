/** interface: Agent profile. What no update changes. */

import { answerBody } from '../../../engine/outcome/read.js';
import { precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { instant, sameInstant, timeToleranceMs } from '../../../engine/rule/times.js';
import { has, isOther, sameId } from '../../../engine/rule/values.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import type { AcceptedUpdate } from '../update.js';
import { updatesOf } from '../updates-and-copies.js';

export const profileIdentities = {
  /**
   * Seen: an accepted update. Satisfied if id, organizationId and createdAt are the same, and updatedAt not earlier.
   */
  'update-keeps-identity': {
    profile(history) {
      const { updates } = updatesOf(history);
      /** The update with the latest time. Compared with that, many small steps back add up. */
      let latest: AcceptedUpdate | undefined;
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
  update: AcceptedUpdate,
  first: AcceptedUpdate | undefined,
  last: AcceptedUpdate | undefined,
): Finding {
  const { exchange, profile } = update;
  if (!sameId(profile.id, profileId)) return violated(exchange, `id ${profileId}`, jsonText(profile.id));
  if (first && has(first.profile, 'organizationId') && isOther(profile.organizationId, first.profile.organizationId))
    return violated(
      [exchange, first.exchange],
      `organizationId ${jsonText(first.profile.organizationId)}`,
      jsonText(profile.organizationId),
    );
  // A copy was created when the answer to its duplication says.
  const initial = origin ?? first?.exchange;
  const createdAt = initial && answerBody(initial)?.createdAt;
  if (initial && createdAt !== undefined && !sameInstant(profile.createdAt, createdAt))
    return violated([exchange, initial], `createdAt ${jsonText(createdAt)}`, jsonText(profile.createdAt));
  const before = last?.exchange ?? origin;
  const updatedAt = before && answerBody(before)?.updatedAt;
  const [from, to] = [updatedAt, profile.updatedAt].map(instant);
  if (!before || from === undefined || to === undefined || !precedes(before, exchange)) return satisfied(exchange);
  const both = [exchange, before];
  return to + timeToleranceMs(from, to) <= from
    ? violated(both, `updatedAt ${jsonText(updatedAt)} or later`, jsonText(profile.updatedAt))
    : satisfied(both);
}
