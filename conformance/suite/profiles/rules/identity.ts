/** interface: Agent profile. What no update changes. */

import { type Coupling, type CouplingRule, couplings } from '../../../../generated/flags.js';
import { accepted, answerBody, type Fields, requestBody } from '../../../engine/outcome/read.js';
import { answeredAt, precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { instant, sameInstant, timeToleranceMs } from '../../../engine/rule/times.js';
import { has, isOther, jsonText, listOf, sameId } from '../../../engine/rule/values.js';
import type { Finding, Judge, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { updatesProfile } from '../../operations.js';
import { cookies } from '../lists.js';
import { mayChange } from '../settings.js';
import type { AcceptedUpdate } from '../update.js';
import { eachAccepted, updatesOf } from '../updates-and-copies.js';

// interface: Cookie, expiry.

/** Finds a cookie that was added with an expiry in the future, and is shown without one. */
function endless({ exchange, sent, profile }: AcceptedUpdate): Finding | undefined {
  const given = listOf(sent.cookiesToAdd).filter(({ expiry }) => (instant(expiry) ?? 0) > answeredAt(exchange));
  const are = listOf(profile.cookies);
  const shownAs = (item: Fields) =>
    cookies.likely(are, item).filter((one) => cookies.shows(item, one, answeredAt(exchange)));
  const seen = given.filter((item) => shownAs(item).length > 0);
  const lost = seen.find((item) => !shownAs(item).some((one) => has(one, 'expiry')));
  if (lost) return violated(exchange, `${jsonText(lost.name)} with its expiry, ${jsonText(lost.expiry)}`, 'none');
  return seen.length > 0 ? satisfied(exchange) : undefined;
}

export const cookieExpiry = {
  /** Judges a cookie that was added with an expiry. Passes if the answer shows one, fails if it shows none. */
  'cookie-expiry-is-shown': eachAccepted(endless),
} satisfies Judges;

// Flags that need another flag to be on, according to an `if` of the contract.

/** Judges a profile with the flag on, or an update that asks for it. Fails if it is on and what it needs is off. */
const coupledJudge = ({ flag, needs }: Coupling): Judge => ({
  exchange(exchange) {
    const profile = updatesProfile(exchange) && accepted(exchange) ? answerBody(exchange) : undefined;
    if (!profile) return undefined;
    if (profile[flag] === true && profile[needs] === false)
      return violated(exchange, `${flag} only with ${needs}`, 'the one without the other');
    return profile[flag] === true || mayChange(requestBody(exchange) ?? {}, flag) ? satisfied(exchange) : undefined;
  },
});

export const couplingJudges = Object.fromEntries(couplings.map((one) => [one.rule, coupledJudge(one)])) as Readonly<
  Record<CouplingRule, Judge>
>;

export const profileIdentities = {
  /**
   * Judges an accepted update. Passes if id, organizationId and createdAt are the same, and updatedAt not earlier.
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
  // A copy was created when and where the answer to its duplication says.
  const initial = origin ?? first?.exchange ?? exchange;
  const { organizationId, createdAt } = answerBody(initial) ?? {};
  if (organizationId !== undefined && isOther(profile.organizationId, organizationId))
    return violated(
      [exchange, initial],
      `organizationId ${jsonText(organizationId)}`,
      jsonText(profile.organizationId),
    );
  if (createdAt !== undefined && !sameInstant(profile.createdAt, createdAt))
    return violated([exchange, initial], `createdAt ${jsonText(createdAt)}`, jsonText(profile.createdAt));
  const before = last?.exchange ?? origin;
  const updatedAt = before && answerBody(before)?.updatedAt;
  const [from, to] = [updatedAt, profile.updatedAt].map(instant);
  if (!before || from === undefined || to === undefined || !precedes(before, exchange)) return satisfied(exchange);
  const both = [exchange, before];
  return to + timeToleranceMs(updatedAt, profile.updatedAt) <= from
    ? violated(both, `updatedAt ${jsonText(updatedAt)} or later`, jsonText(profile.updatedAt))
    : satisfied(both);
}
