/** The cookies and credentials of the suite: how they are named, and those that strict services accept too. */
import { samples } from '../../../generated/samples.js';
import { accepted, type Fields, requestBody } from '../../engine/outcome/read.js';
import { asText, listOf } from '../../engine/rule/values.js';
import type { Driver } from '../driver.js';

/** A subdomain of a domain that exists: some services check for a known suffix. */
export const domain = 'conformance.example.com';

/** `value`: letters, digits and hyphens, which no service interprets. */
export const plainCookie = (name: string, value: string, more: Fields = {}): Fields => ({
  ...samples.Cookie.minimal,
  domain,
  httpOnly: true,
  key: name,
  name,
  secure: true,
  value,
  ...more,
});

/** The step that finds out which cookies a service accepts. */
export const cookiesStep = 'cookies-added';

/** What such a step last added to a list of the profile. */
function taken(driver: Driver, step: string, list: 'cookiesToAdd' | 'credentialsToAdd'): readonly Fields[] {
  const tried = driver.lastAnswer('profile', step);
  return tried && accepted(tried) ? listOf(requestBody(tried)?.[list]) : [];
}

/** An expiry, if the service accepted one before: some keep no cookie for longer than browsers do. */
export const knownExpiry = (driver: Driver): Fields =>
  taken(driver, cookiesStep, 'cookiesToAdd').some(({ expiry }) => expiry !== undefined)
    ? { expiry: '2040-01-01T00:00:00Z' }
    : {};

/** The value of items that are sent with something that must be refused. */
export const neverKept = 'never-to-be-kept';

/** The step that finds out which data a service accepts. */
export const credentialsStep = 'credentials-added';

export const asJson = (secret: string): string => JSON.stringify({ secret });

/** Data of a credential; JSON if the service accepts nothing else. The interface only says that it is a text. */
export function plainData(driver: Driver, secret: string): string {
  const items = taken(driver, credentialsStep, 'credentialsToAdd');
  return items.length > 0 && items.every(({ data }) => asText(data).startsWith('{')) ? asJson(secret) : secret;
}
