/** When two cookies are the same. */
import type { Fields } from '../../engine/outcome/read.js';
import { keyed } from '../../engine/rule/items-by-key.js';
import { asText, equal, textKey } from '../../engine/rule/values.js';
import { type Same, sameIn } from '../../engine/schemas.js';
import { schemas } from '../schemas.js';

/** Hosts are case-insensitive. A dot before a domain means nothing since RFC 6265, 5.2.3. */
export const sameDomain: Same = (a, b) => equal(host(a), host(b));
const host = (domain: unknown) => (typeof domain === 'string' ? domain.toLowerCase().replace(/^\./, '') : domain);

/** Equal for cookies of the same name and domain. */
export const cookieKey = ({ domain, name }: Fields): string => `${textKey(host(domain))} ${textKey(name)}`;

/** The cookies of a list that may have the same name and domain. */
export const likelyCookies = keyed(cookieKey);

/** Whether one replaces the other. */
export const isInPlaceOf = (a: Fields, b: Fields): boolean => sameDomain(a.domain, b.domain) && equal(a.name, b.name);

export const cookieFields = {
  ...schemas.fieldsOf('Cookie'),
  domain: sameDomain,
  // The time of storing is not part of what is stored.
  createdAt: () => true,
};

export const sameCookie = sameIn(cookieFields);

/** The suite gives such names to all items that it adds. */
const own = /^conformance-/i;
export const isItemOfSuite = ({ name }: Fields): boolean => own.test(asText(name));
