/** interface: PATCH agent-profiles. What an update asks for is there after it. */

import { couplings, openFlags, plainFlags } from '../../../../generated/flags.js';
import { requests } from '../../../../generated/validators.js';
import { isAt, isOfRun, isProbe, isUnjudged } from '../../../engine/outcome/mark.js';
import { notAccepted, outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  type Fields,
  isClientError,
  isMeantToPass,
  refusedForKey,
  requestBody,
  status,
} from '../../../engine/outcome/read.js';
import { isAfterReplicaLag, precedes } from '../../../engine/outcome/when.js';
import { altered } from '../../../engine/rule/altered.js';
import { combined, inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { equal, has, itemsOf, jsonText, sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { namedBack } from '../../copies/view.js';
import { updatesProfile } from '../../operations.js';
import { afterOverlaps } from '../overlaps.js';
import {
  differingUnnamed,
  isItemOfSuite,
  mayChangeProxy,
  optionalSettings,
  plainSettings,
  type Setting,
  sameSetting,
} from '../settings.js';
import { noEffectOfRefused, type RefusedUpdate, type Update } from '../update.js';
import { updatesOf } from '../updates-and-copies.js';
import { eachRefusal, eachUpdate } from '../view.js';

/** Settings that a gap leaves open, custom-proxy-request among them: a service may accept and ignore them. */
const open: readonly string[] = [...openFlags.map(({ flag }) => flag), 'customProxy'];

/** The settings of an update that its answer has to show. */
function demanded({ exchange, sent: asked, before, profile }: Update): Setting[] {
  if (!requests.updateProfile(asked)) return [];
  // If two settings contradict each other, the service may correct one.
  const wanted = { ...before?.profile, ...asked };
  const isAgreed = (setting: Setting) =>
    couplings.every(
      ({ flag, needs }) =>
        ![flag, needs].includes(setting as never) || wanted[flag] === false || wanted[needs] === true,
    );
  return plainSettings.filter((setting) => {
    if (!has(asked, setting) || open.includes(setting) || isHardToKeep(asked[setting])) return false;
    // interface: Agent profile. Names are unique, so a service may change one that another profile may have.
    if (setting === 'name' && (isProbe(exchange) || isUnjudged(exchange))) return false;
    if (!isAgreed(setting)) return false;
    if (setting === 'inboxEmailPrefix' && asked.inboxEmailPrefix === '') return false;
    // An answer may leave out optional settings. The inbox address tells whether a prefix was accepted.
    return !optionalSettings.includes(setting) || has(profile, setting);
  });
}

/** A text that some stores cannot hold: with a lone surrogate, or the null character. */
const isHardToKeep = (value: unknown): boolean =>
  typeof value === 'string' && (/\p{Surrogate}/u.test(value) || value.includes('\0'));

const isPlain = (setting: Setting) => setting !== 'cookies' && setting !== 'credentials' && !open.includes(setting);

export const applied = {
  /**
   * Judges an accepted update. Passes if its answer shows what was sent, and the next one still does. Also fails
   * if an update is refused without any reason in the interface; or because of a name that no other profile has; or
   * because of lists that are accepted separately.
   */
  'update-applies': combined(
    eachUpdate(applies),
    { profile: (history) => afterOverlaps(history, true) },
    eachRefusal(unreasoned),
    { profile: refusedTogether },
    { run: refusedThoughFree },
  ),
} satisfies Judges;

function applies(update: Update): Finding | undefined {
  const { exchange, sent: asked, profile, before } = update;
  const settings = demanded(update);
  const wrong = settings.find((setting) => !sameSetting(setting, asked[setting], profile[setting]));
  if (wrong) return altered(exchange, ', as sent', wrong, asked[wrong], profile[wrong]);
  const lost = update.changes.find(({ cause, setting }) => cause === 'lost' && isPlain(setting));
  if (lost)
    return violated(
      lost.exchanges,
      `${lost.setting} ${jsonText(lost.from)} still there at the next update`,
      jsonText(lost.to),
    );
  const telling = settings.some((setting) => !before || !sameSetting(setting, before.profile[setting], asked[setting]));
  return telling ? satisfied(exchange) : undefined;
}

/** Whether the interface states no condition for what an update asks, given the profile as it was. */
function isUnconditional(asked: Fields, before: Fields): boolean {
  const always: readonly string[] = ['description', ...plainFlags];
  return (
    Object.keys(asked).length > 0 &&
    requests.updateProfile(asked) &&
    Object.entries(asked).every(
      ([field, value]) =>
        always.includes(field) ||
        (field === 'extensionIds' && equal(value, [])) ||
        // The name that it has is no other profile's, and the extensions that it has exist.
        ((field === 'name' || field === 'extensionIds') && field in before && equal(value, before[field])) ||
        couplings.some(
          ({ flag, needs }) =>
            (field === flag && (value === false || (before[needs] === true && asked[needs] !== false))) ||
            (field === needs && (value === true || before[flag] === false)),
        ),
    )
  );
}

/** Finds a refusal for which the interface gives no reason. */
function unreasoned({ exchange, sent: asked, before }: RefusedUpdate): Finding | undefined {
  // Which fields an update needs is not shown: one that was accepted tells.
  if (!before || !updatesProfile(before.exchange) || !isUnconditional(asked, before.profile)) return undefined;
  return notAccepted(exchange, before.exchange, `${Object.keys(asked).join(', ')} taken`);
}

/** The lists of an update that have items. */
const listsOf = (asked: Fields): string[] =>
  Object.entries(asked).flatMap(([field, value]) =>
    /To(?:Add|Delete|Update)$/.test(field) && itemsOf(value).length > 0 ? field : [],
  );

/**
 * Fails if updates are refused whenever they have items in two lists, though either is accepted without the other.
 * Items must have been added after the first refusal too, so that lack of room is not the reason.
 */
function refusedTogether(history: ProfileHistory): Finding[] {
  const { updates, refusals } = updatesOf(history);
  const all = refusals.filter(({ exchange }) => isMeantToPass(exchange) && outcomeOf(exchange).kind === 'refused');
  const [first] = all;
  const taken = updates.map(({ exchange, sent: body }) => ({ exchange, lists: listsOf(body) }));
  const isTaken = (field: string, other?: string) =>
    taken.some(({ exchange, lists }) => {
      const isLater = !field.endsWith('ToAdd') || (first !== undefined && precedes(first.exchange, exchange));
      return isLater && lists.includes(field) && (other === undefined || !lists.includes(other));
    });
  const ours = all.filter(({ sent: body }) => listsOf(body).every((field) => isTaken(field)));
  const asked = ours[0] ? listsOf(ours[0].sent) : [];
  const pair = asked
    .flatMap((one, place) => asked.slice(place + 1).map((other) => [one, other] as const))
    .find(
      ([one, other]) =>
        isTaken(one, other) &&
        isTaken(other, one) &&
        !taken.some(({ lists }) => [one, other].every((field) => lists.includes(field))),
    );
  const refused = ours.filter(({ sent: body }) => pair?.every((field) => listsOf(body).includes(field)));
  return pair && refused.length > 1
    ? refused.map(({ exchange }) => violated(exchange, `${pair.join(' and ')} taken together, as each of them is`))
    : [];
}

/**
 * Finds names that were refused though no profile of the organization has them: only one in another organization has,
 * or the same profile had it some time ago. The profile then accepted another name.
 */
function refusedThoughFree({ profiles }: Evidence): Finding[] {
  const all = profiles.flatMap(({ exchanges }) => exchanges.filter((one) => isOfRun(one) && accepted(one)));
  return profiles.flatMap(({ profileId, exchanges }) =>
    exchanges.flatMap((one): Finding | [] => {
      const name = nameAlone(one);
      const home = all.find((other) => other.resource === profileId && updatesProfile(other));
      // key-refusal-does-nothing judges duplications that were refused for their key, and may have taken a name.
      const isOther = isProbe(one) || isAt(one, ...Object.values(namedBack));
      if (name === undefined || !isItemOfSuite({ name }) || !home || isOther || !isRefusedAsItIs(one)) return [];
      const others = exchanges.filter((other) => updatesProfile(other) && accepted(other));
      const next = others.find((other) => precedes(one, other) && (nameAlone(other) ?? name) !== name);
      const isHome = (other: Exchange) => sameId(answerBody(other)?.organizationId, answerBody(home)?.organizationId);
      const withName = all.filter((other) => answerBody(other)?.name === name);
      const abroad = withName.find((other) => !isHome(other) && precedes(other, one));
      const had = others.findLast((other) => withName.includes(other) && precedes(other, one));
      const left = had && others.find((other) => precedes(had, other) && precedes(other, one));
      const isTheirs = withName.some((other) => isHome(other) && !sameId(answerBody(other)?.id, profileId));
      const evidence = left && isAfterReplicaLag(one, left) ? had : abroad;
      return evidence && next && !isTheirs
        ? violated([one, evidence, next], `${jsonText(name)} taken, which no other profile of the organization has`)
        : [];
    }),
  );
}

/** The name of an update that asks for nothing else. */
function nameAlone(exchange: Exchange): string | undefined {
  const { name, ...rest } = requestBody(exchange) ?? {};
  return updatesProfile(exchange) && typeof name === 'string' && Object.keys(rest).length === 0 ? name : undefined;
}

/** A name that is taken may be refused with 409. */
const isRefusedAsItIs = (exchange: Exchange): boolean =>
  isClientError(exchange) && (status(exchange) === 409 || outcomeOf(exchange).kind === 'refused');

// interface: PATCH agent-profiles. What an update does not ask for stays as it is, and after a refused one everything.

export const partial = {
  /** Judges two updates in a row. Passes if nothing changed between them but what was sent; fails by the first thing that did. */
  'update-is-partial': combined(eachUpdate(unrequested), { profile: (history) => afterOverlaps(history, false) }),

  /** Judges the profile before and after a refused update. Passes if nothing of the update shows, else fails. */
  'update-is-atomic': noEffectOfRefused((refusal) => !refusedForKey(refusal)),
} satisfies Judges;

/** A setting that the contract does not name, recognised by its value, lost though nothing sent may concern it. */
const lostUnnamed = ({ sent: asked, before, profile }: Update): string | undefined =>
  before && !mayChangeProxy(asked) ? differingUnnamed(before.profile, profile) : undefined;

function unrequested(update: Update): Finding | undefined {
  const { exchange, before, profile } = update;
  if (!before) return undefined;
  const change = update.changes.find(({ cause }) => cause === 'update');
  if (change) return changed(change.exchanges, change.setting, change.from, change.to);
  const both = [exchange, before.exchange];
  const unknown = update.changes.find(({ cause }) => cause === 'unknown');
  if (unknown)
    return inconclusive(
      exchange,
      `${unknown.setting} shows a value that this run did not send: another client may have changed the profile ${exchange.resource}.`,
    );
  const unnamed = lostUnnamed(update);
  return unnamed === undefined ? satisfied(both) : changed(both, unnamed, before.profile[unnamed], profile[unnamed]);
}

const changed = (exchanges: readonly Exchange[], setting: string, from: unknown, to: unknown): Finding =>
  violated(exchanges, `${setting} ${jsonText(from)} unchanged, because the request does not send it`, jsonText(to));
