/** interface: Cookie, expiry. */

import type { Fields } from '../../../engine/outcome/read.js';
import { answeredAt } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { instant } from '../../../engine/rule/times.js';
import { has, listOf } from '../../../engine/rule/values.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Finding, Judges } from '../../../engine/vocabulary.js';
import { cookies } from '../lists.js';
import type { AcceptedUpdate } from '../update.js';
import { eachAccepted } from '../updates-and-copies.js';

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
  /** Seen: a cookie that was added with an expiry. Satisfied if the answer shows one, violated if it shows none. */
  'cookie-expiry-is-shown': eachAccepted(endless),
} satisfies Judges;
