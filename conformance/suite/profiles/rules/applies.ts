/** interface: PATCH agent-profiles. What an update asks for is there after it. */

import { couplings, openFlags, plainFlags } from '../../../../generated/flags.js';
import { requests } from '../../../../generated/validators.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import { type Fields, isMeantToPass } from '../../../engine/outcome/read.js';
import { precedes } from '../../../engine/outcome/when.js';
import { notTaken, satisfied, violated } from '../../../engine/rule/findings.js';
import { spoiled } from '../../../engine/rule/spoiled.js';
import { together } from '../../../engine/rule/together.js';
import { equal, itemsOf, shows } from '../../../engine/rule/values.js';
import { shown } from '../../../engine/rule/words.js';
import type { Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { course } from '../course.js';
import { eachRefusal, eachUpdate } from '../each-update.js';
import { refusedThoughFree } from '../free-names.js';
import { optionalSettings, plainSettings, type Setting, sameSetting, touches } from '../settings.js';
import type { RefusedUpdate, Update } from '../update.js';

/** Gaps, custom-proxy-request among them. They may be taken and left out. */
const open: readonly string[] = [...openFlags.map(({ flag }) => flag), 'customProxy'];

/** The settings that an update sent and its answer has to show. */
function demanded({ exchange, sent: asked, before, profile }: Update): Setting[] {
  if (!requests.updateProfile(asked)) return [];
  // Of two settings that contradict each other one may be put right.
  const wanted = { ...before?.profile, ...asked };
  const isAgreed = (setting: Setting) =>
    couplings.every(
      ({ flag, needs }) =>
        ![flag, needs].includes(setting as never) || wanted[flag] === false || wanted[needs] === true,
    );
  return plainSettings.filter((setting) => {
    if (!shows(asked, setting) || open.includes(setting) || isHardToKeep(asked[setting])) return false;
    // interface: Agent profile. A name is unique, so one that somebody may have may be put right.
    if (setting === 'name' && (exchange.mark?.probe || exchange.mark?.unjudged)) return false;
    if (!isAgreed(setting)) return false;
    if (setting === 'inboxEmailPrefix' && asked.inboxEmailPrefix === '') return false;
    // An answer may leave out what is optional; whether a prefix was taken, the address of the inbox tells.
    return !optionalSettings.includes(setting) || shows(profile, setting);
  });
}

/** A text that not every store takes: half a pair of UTF-16, or the null character. */
const isHardToKeep = (value: unknown): boolean =>
  typeof value === 'string' && (/\p{Surrogate}/u.test(value) || value.includes('\0'));

const isPlain = (setting: Setting) => setting !== 'cookies' && setting !== 'credentials' && !open.includes(setting);

export const applied = {
  /**
   * Seen: an update that was taken. Satisfied where its answer shows what was sent, and the next one too; broken as well where
   * an update is refused that nothing gives a reason for, a name that nobody else has, or lists together that are taken one
   * by one.
   */
  'update-applies': together(
    eachUpdate(applies),
    eachRefusal(unreasoned),
    { profile: refusedTogether },
    { run: refusedThoughFree },
  ),
} satisfies Judges;

function applies(update: Update, all: readonly Update[], { origin }: ProfileHistory): Finding | undefined {
  const { exchange, sent: asked, profile, before } = update;
  const settings = demanded(update);
  const wrong = settings.find((setting) => !sameSetting(setting, asked[setting], profile[setting]));
  if (wrong) return spoiled(exchange, ', as sent', wrong, asked[wrong], profile[wrong]);
  // A profile that the run made nobody else knows.
  const lost = update.changes.find(
    ({ cause, setting, to }) =>
      cause === 'lost' && isPlain(setting) && (origin || typeof to !== 'boolean' || !keeps(setting, all)),
  );
  if (lost)
    return violated(
      lost.exchanges,
      `${lost.setting} ${shown(lost.from)} still there at the next update`,
      shown(lost.to),
    );
  const telling = settings.some((setting) => !before || !sameSetting(setting, before.profile[setting], asked[setting]));
  return telling ? satisfied(exchange) : undefined;
}

/**
 * Whether a flag was kept at least as often as it was lost when it had been set. Of its two values somebody else who sets it
 * may mean either; but nobody sets one again and again right after the run did, and at no other time.
 */
function keeps(flag: Setting, all: readonly Update[]): boolean {
  const unasked = all.filter(({ before, sent: asked }) => before && !touches(asked, flag));
  const [set, beside] = [true, false].map((isSet) =>
    unasked.filter(({ before }) => touches(before?.sent ?? {}, flag) === isSet),
  ) as [Update[], Update[]];
  const lost = lostOf(flag, set);
  const isOnlyThen = lost >= chance && beside.length >= set.length && lostOf(flag, beside) === 0;
  return lost * 2 <= set.length && !isOnlyThen;
}

const lostOf = (flag: Setting, updates: readonly Update[]): number =>
  updates.filter(({ changes, foreign }) => [...foreign, ...changes.map(({ setting }) => setting)].includes(flag))
    .length;

/** Somebody else may come right after the run once or twice. */
const chance = 3;

/** Whether an update asks for what the interface states no condition of, beside the profile as it was. */
function isUnconditional(asked: Fields, before: Fields): boolean {
  const always: readonly string[] = ['description', ...plainFlags];
  return (
    Object.keys(asked).length > 0 &&
    requests.updateProfile(asked) &&
    Object.entries(asked).every(
      ([field, value]) =>
        always.includes(field) ||
        (field === 'extensionIds' && equal(value, [])) ||
        // Its own name is no other profile's.
        (field === 'name' && before.name !== undefined && equal(value, before.name)) ||
        couplings.some(
          ({ flag, needs }) =>
            (field === flag && (value === false || (before[needs] === true && asked[needs] !== false))) ||
            (field === needs && (value === true || before[flag] === false)),
        ),
    )
  );
}

/** A refusal that nothing in the interface gives a reason for. */
function unreasoned({ exchange, sent: asked, before }: RefusedUpdate): Finding | undefined {
  if (!before || !isUnconditional(asked, before.profile)) return undefined;
  return notTaken(exchange, before.exchange, `${Object.keys(asked).join(', ')} taken`);
}

/** The lists of an update that have something in them. */
const listsOf = (asked: Fields): string[] =>
  Object.entries(asked).flatMap(([field, value]) =>
    /To(?:Add|Delete|Update)$/.test(field) && itemsOf(value).length > 0 ? field : [],
  );

/**
 * Updates that are refused each time they ask for two lists together, though either is taken without the other: what is
 * added is so after the first refusal too, so there was room for more.
 */
function refusedTogether(history: ProfileHistory): Finding[] {
  const { updates, refusals } = course(history);
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
