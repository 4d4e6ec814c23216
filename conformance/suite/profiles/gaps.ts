/** Observes what the interface leaves open about profiles, and how values are normalised before they are stored. */

import { fields } from '../../../generated/fields.js';
import { type OpenFlagGap, openFlags } from '../../../generated/flags.js';
import type { GapId } from '../../../generated/rules.js';
import { memoize } from '../../engine/memoize.js';
import { hasRightKey, isExcluded, isObservationOf, isOfRun, isProbe } from '../../engine/outcome/mark.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  type Fields,
  isCopyRequest,
  isFields,
  objectIn,
  requestBody,
  requestFields,
} from '../../engine/outcome/read.js';
import { successfulReadings } from '../../engine/outcome/readings.js';
import { observed, refusedWith, withoutIdentifiers } from '../../engine/rule/observed.js';
import { instant, sameInstant } from '../../engine/rule/times.js';
import { equal, listOf, sameName } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Observer } from '../../engine/vocabulary.js';
import { freeOf } from '../executions/view.js';
import { updatesProfile } from '../operations.js';
import { sameDomain } from './settings.js';

/** The updates that were answered, with what was sent and what came back. */
const updates = memoize(({ exchanges }: Evidence) =>
  exchanges.filter(updatesProfile).flatMap((exchange) => {
    const change = requestBody(exchange);
    if (!change || !outcomeOf(exchange).own) return [];
    if (isOfRun(exchange) && (isProbe(exchange) || isExcluded(exchange) || !hasRightKey(exchange))) return [];
    return [{ exchange, change, profile: answerBody(exchange) ?? {} }];
  }),
);

/**
 * What became of each update to which this applies. A refusal counts only beside a control: the same update `without`
 * what is observed, accepted. If nothing would be left of it, any other accepted update of the profile will do.
 */
const onUpdate =
  (
    applies: (change: Fields, exchange: Exchange) => boolean,
    taken: (change: Fields, profile: Fields) => string | readonly string[],
    without: (change: Fields) => Fields = () => ({}),
  ): Observer =>
  (evidence) => {
    const all = updates(evidence);
    const isControlled = ({ exchange, change }: (typeof all)[number]) => {
      const rest = without(change);
      return all.some(
        (other) =>
          accepted(other.exchange) &&
          other.exchange.resource === exchange.resource &&
          (Object.keys(rest).length === 0 || equal(other.change, rest)),
      );
    };
    return observed(
      all
        .filter(({ change, exchange }) => applies(change, exchange))
        .flatMap((one) => {
          if (accepted(one.exchange)) return taken(one.change, one.profile);
          return isControlled(one) ? refusedWith(one.exchange) : [];
        }),
    );
  };

/** Matches no update, so that refusals are not observed. */
const none: Fields = { none: true };

const turnedOn = (flag: string): Observer =>
  onUpdate(
    (change) => change[flag] === true,
    (_, profile) => (profile[flag] === true ? 'taken' : 'dropped'),
  );

const idSent = (what: string, added: string, list: string) => (change: Fields, profile: Fields) =>
  listOf(change[added]).flatMap((item) => {
    const found = listOf(profile[list]).find(({ name }) => name === item.name);
    return item.id === undefined || !found ? [] : `${what}: ${found.id === item.id ? 'kept' : 'given anew'}`;
  });

/** An update that adds the same items without ids. */
const withoutIds = (change: Fields): Fields =>
  Object.fromEntries(
    Object.entries(change).map(([field, value]) => [
      field,
      field.endsWith('ToAdd') ? listOf(value).map(({ id: _, ...item }) => item) : value,
    ]),
  );

export const profileGaps = {
  'stored-normalised': (evidence) => observed([...ofUpdates(evidence), ...ofExecutions(evidence)]),
  'unnamed-profile-fields': ({ profiles }) => {
    const seen = profiles
      .flatMap(({ exchanges }) => exchanges.filter(accepted))
      .flatMap((exchange) => Object.keys(answerBody(exchange) ?? {}));
    const others = seen.filter((field) => !(field in fields.AgentProfile));
    return seen.length > 0 && others.length === 0 ? ['none'] : observed(others.map(withoutIdentifiers));
  },
  'empty-update': onUpdate(
    (change) => Object.keys(change).length === 0,
    () => 'taken',
  ),
  'unknown-request-fields': onUpdate(
    (_, update) => isObservationOf(update, 'unknown-request-fields'),
    ({ conformanceSuite: _ }, profile) => ('conformanceSuite' in profile ? 'kept' : 'ignored'),
    ({ conformanceSuite: _, ...rest }) => rest,
  ),
  'credential-data-visible': onUpdate(
    ({ credentialsToAdd }) => listOf(credentialsToAdd).length > 0,
    ({ credentialsToAdd }, { credentials }) =>
      listOf(credentialsToAdd).flatMap(({ name, data }) => {
        const found = listOf(credentials).find((credential) => credential.name === name);
        if (!found) return [];
        if (found.data === data) return 'as sent';
        return found.data === undefined || found.data === '' ? 'absent' : 'masked';
      }),
    // A refused update shows nothing about the data, and has no control.
    () => none,
  ),
  'cookie-id-sent': onUpdate(
    ({ cookiesToAdd, credentialsToAdd }) =>
      [...listOf(cookiesToAdd), ...listOf(credentialsToAdd)].some(({ id }) => id !== undefined),
    (change, profile) => [
      ...idSent('cookie', 'cookiesToAdd', 'cookies')(change, profile),
      ...idSent('credential', 'credentialsToAdd', 'credentials')(change, profile),
    ],
    withoutIds,
  ),
  'custom-proxy-request': onUpdate(
    ({ customProxy }) => isFields(customProxy),
    (change, profile) => {
      const shown = objectIn(profile, 'customProxy');
      const taken = Object.entries(objectIn(change, 'customProxy')).filter(([field, value]) => shown[field] === value);
      return taken.length > 0 ? taken.map(([field]) => withoutIdentifiers(field)) : 'ignored';
    },
  ),
  'text-length-unit': onUpdate(
    (_, update) => isObservationOf(update, 'text-length-unit'),
    () => 'characters',
  ),
  ...(Object.fromEntries(openFlags.map(({ flag, gap }) => [gap, turnedOn(flag)])) as Record<OpenFlagGap, Observer>),
  'duplicate-inbox-prefix': ({ profiles }) =>
    observed(
      profiles.flatMap(({ exchanges }) =>
        exchanges.filter(accepted).flatMap((exchange, place, all) => {
          const source = all.slice(0, place).findLast(updatesProfile);
          const prefix = source && answerBody(source)?.inboxEmailPrefix;
          if (!isCopyRequest(exchange) || typeof prefix !== 'string') return [];
          const copied = answerBody(exchange)?.inboxEmailPrefix;
          return copied === prefix ? 'kept' : copied === undefined ? 'dropped' : 'changed';
        }),
      ),
    ),
} satisfies { readonly [gap in GapId]?: Observer };

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
    const profile = updatesProfile(exchange) && accepted(exchange) ? answerBody(exchange) : undefined;
    if (!asked || !profile) return [];
    return [
      ...within({ name: asked.name, description: asked.description }, profile),
      ...ofCookies(listOf(asked.cookiesToAdd), listOf(profile.cookies)),
      ...ofCredentials(listOf(asked.credentialsToAdd), listOf(profile.credentials)),
    ];
  });

const ofExecutions = ({ traces }: Evidence): string[] =>
  traces.flatMap(({ start, readings }) => {
    const { inputs, metadata } = freeOf(start ? requestFields(start) : {});
    // Many readings show the same.
    const shown = (name: string) => [...new Set(successfulReadings(readings).map(({ execution }) => execution[name]))];
    return [
      ...shown('inputs').flatMap((one) => within(inputs, one)),
      ...shown('metadata').flatMap((one) => within(metadata, one)),
    ];
  });
