/** Observes how a service normalises values before it stores them, without changing their meaning. */
import type { GapId } from '../../../generated/rules.js';
import { accepted, answerBody, type Fields, isFields, requestBody } from '../../engine/outcome/read.js';
import { successfulReadings } from '../../engine/outcome/readings.js';
import { observed } from '../../engine/rule/observing.js';
import { equal, instant, listOf, sameInstant, sameName } from '../../engine/rule/values.js';
import type { Evidence, Observer } from '../../engine/vocabulary.js';
import { sameDomain } from './cookies.js';

/** How a text with the same meaning differs from the given one. */
function textually(given: string, shown: string): string[] {
  if (given === shown || !equal(given, shown)) return [];
  return [
    ...(given.trim() === shown.trim() ? [] : ['letters composed otherwise']),
    ...(given !== given.trim() && shown === shown.trim() ? ['texts trimmed'] : []),
  ];
}

/** The same for all texts within a value. */
function within(given: unknown, shown: unknown): string[] {
  if (given === shown) return [];
  if (typeof given === 'string' && typeof shown === 'string') return textually(given, shown);
  if (Array.isArray(given) && Array.isArray(shown)) return given.flatMap((item, index) => within(item, shown[index]));
  if (!isFields(given) || !isFields(shown)) return [];
  return Object.entries(given).flatMap(([name, value]) => within(value, shown[name]));
}

function ofCookies(given: readonly Fields[], shown: readonly Fields[]): string[] {
  return given.flatMap((cookie) => {
    // If several have its name, match the domain too: one with another domain is another cookie.
    const named = shown.filter(({ name }) => equal(name, cookie.name));
    const isAlone = named.length === 1 && given.filter(({ name }) => equal(name, cookie.name)).length === 1;
    const stored = isAlone ? named[0] : named.find(({ domain }) => sameDomain(domain, cookie.domain));
    if (!stored) return [];
    const [asked, until] = [instant(cookie.expiry), instant(stored.expiry)];
    const domains = [cookie.domain, stored.domain];
    return [
      ...(domains.every((domain) => typeof domain === 'string') && domains[0] !== domains[1] ? ['cookie domains'] : []),
      ...(asked !== undefined && until !== undefined && until < asked && !sameInstant(cookie.expiry, stored.expiry)
        ? ['cookie expiry capped']
        : []),
    ];
  });
}

const ofCredentials = (given: readonly Fields[], shown: readonly Fields[]): string[] =>
  given.flatMap(({ name }) => {
    const stored = shown.filter((credential) => sameName(credential.name, name));
    return stored.length > 0 && stored.every((one) => !equal(one.name, name)) ? ['case of credential names'] : [];
  });

const ofUpdates = ({ exchanges }: Evidence): string[] =>
  exchanges.flatMap((exchange) => {
    const asked = requestBody(exchange);
    const profile = exchange.operation === 'updateProfile' && accepted(exchange) ? answerBody(exchange) : undefined;
    if (!asked || !profile) return [];
    return [
      ...within({ name: asked.name, description: asked.description }, profile),
      ...ofCookies(listOf(asked.cookiesToAdd), listOf(profile.cookies)),
      ...ofCredentials(listOf(asked.credentialsToAdd), listOf(profile.credentials)),
    ];
  });

const ofExecutions = ({ traces }: Evidence): string[] =>
  traces.flatMap(({ start, readings }) => {
    const { inputs, metadata } = (start && requestBody(start)) ?? {};
    // Many readings show the same.
    const shown = (name: string) => [...new Set(successfulReadings(readings).map(({ execution }) => execution[name]))];
    return [
      ...shown('inputs').flatMap((one) => within(inputs, one)),
      ...shown('metadata').flatMap((one) => within(metadata, one)),
    ];
  });

export const normalisedGaps = {
  'stored-normalised': (evidence) => observed([...ofUpdates(evidence), ...ofExecutions(evidence)]),
} satisfies { readonly [gap in GapId]?: Observer };
