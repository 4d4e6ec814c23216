/** When two cookies are the same. */
import type { Fields } from '../../engine/outcome/read.js';
import { keyed } from '../../engine/rule/items-by-key.js';
import { standsFor } from '../../engine/rule/masked.js';
import { equal, instant, sameInstant, textKey } from '../../engine/rule/values.js';
import { type Same, sameIn } from '../../engine/schemas.js';
import { schemas } from '../schemas.js';

/** A host, whatever its case. The dot before a domain says nothing since RFC 6265, 5.2.3. */
export const sameDomain: Same = (a, b) => equal(host(a), host(b));
const host = (domain: unknown) => (typeof domain === 'string' ? domain.toLowerCase().replace(/^\./, '') : domain);

/** Equal for cookies of the same name and domain. */
export const cookieKey = ({ domain, name }: Fields): string => `${textKey(host(domain))} ${textKey(name)}`;

/** Those of a list that may have the name and domain of a cookie. */
export const likelyCookies = keyed(cookieKey);

/** Whether the one may stand in the place of the other. */
export const isInPlaceOf = (a: Fields, b: Fields): boolean => sameDomain(a.domain, b.domain) && equal(a.name, b.name);

const cookie = {
  ...schemas.fieldsOf('Cookie'),
  domain: sameDomain,
  // When it was stored says nothing of what is.
  createdAt: () => true,
};

export const sameCookie = sameIn(cookie);

/** Whether a cookie that is shown is one that was given: ids and times aside, which the service may set. */
export const isCookieGiven = sameIn({
  ...cookie,
  // As with the data of a credential, whether it is shown is not said.
  value: (given, one) => equal(given, one) || standsFor(one, given),
  expiry: () => true,
  id: () => true,
});

const dayMs = 86_400_000;

/** Whether a cookie lives as long as was asked: services cap what is far ahead, as browsers do, at some days from then. */
export function livesAsAsked(given: unknown, shown: unknown, answeredAt: number): boolean {
  const [asked, until] = [instant(given), instant(shown)];
  if (asked === undefined || until === undefined) return asked === until;
  return sameInstant(given, shown) || (asked - until > 2 * dayMs && until - answeredAt > 7 * dayMs);
}
