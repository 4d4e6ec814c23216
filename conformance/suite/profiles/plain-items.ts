/** Cookies and credentials as strict services take them too, for what is judged by something else. */
import { samples } from '../../../generated/samples.js';
import { accepted, type Fields, sent } from '../../engine/outcome/read.js';
import { asText, listOf } from '../../engine/rule/values.js';
import type { Driver } from '../driver.js';

/** A subdomain of one that exists: some services look for a known suffix. */
export const domain = 'conformance.example.com';

/** `value`: letters, digits and hyphens, of which no service takes a part for something else. */
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

/** The step that finds out what cookies a service takes. */
export const cookiesStep = 'cookies-added';

/** What was last added to a list of the profile by such a step. */
function taken(driver: Driver, step: string, list: 'cookiesToAdd' | 'credentialsToAdd'): readonly Fields[] {
  const tried = driver.lastAnswer('profile', step);
  return tried && accepted(tried) ? listOf(sent(tried)?.[list]) : [];
}

/** An expiry, where the service was seen to take one: some keep no cookie for longer than browsers do. */
export const knownExpiry = (driver: Driver): Fields =>
  taken(driver, cookiesStep, 'cookiesToAdd').some(({ expiry }) => expiry !== undefined)
    ? { expiry: '2040-01-01T00:00:00Z' }
    : {};

/** Of what is sent beside something that has to be refused. */
export const neverKept = 'never-to-be-kept';

/** The step that finds out what data a service takes. */
export const credentialsStep = 'credentials-added';

export const asJson = (secret: string): string => JSON.stringify({ secret });

/** Data of a credential: JSON where the service takes nothing else. The interface says that it is a text, and not which. */
export function plainData(driver: Driver, secret: string): string {
  const known = taken(driver, credentialsStep, 'credentialsToAdd');
  return known.length > 0 && known.every(({ data }) => asText(data).startsWith('{')) ? asJson(secret) : secret;
}
