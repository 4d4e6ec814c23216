/** Puts a profile back as it was before the run. */

import { couplings } from '../../../generated/flags.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, type Fields, refused, status } from '../../engine/outcome/read.js';
import { isMasked } from '../../engine/rule/masked.js';
import { idsOf, listOf } from '../../engine/rule/values.js';
import type { List } from '../../engine/send/journal/journal.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { lists, unsentFlags } from './restorable.js';
import { type Snapshot, secrets } from './snapshot.js';

const firstPauseMs = 250;
const longestPauseMs = 8000;
/** If a service refuses a setting in so many rounds, and accepts others, it will not accept it. */
const enoughRefusals = 3;

/** Whether a refusal may be about the moment: busy, locked, too many requests, broken. */
const isPassing = (exchange: Exchange): boolean => {
  const code = status(exchange) ?? 0;
  return [0, 408, 409, 423, 425, 429].includes(code) || code >= 500;
};

/** The items of a list that can be put back. A mask that is shown instead of a secret must not become the secret. */
const shownPlain = (snapshot: Snapshot, list: List, items: readonly Fields[]): Fields[] =>
  snapshot.isShownUnmasked(list)
    ? items.filter((item) => {
        const secret = item[secrets[list]];
        return typeof secret === 'string' && secret !== '' && !isMasked(secret);
      })
    : [];

/**
 * Puts a profile back: reads it, asks for all differences at once except its description, then for each one by itself,
 * and repeats that with growing pauses while refusals may pass. Goes on while the run is being stopped, until the
 * target's patience runs out. The snapshot then records what stays different.
 */
export async function putBack(driver: Driver, snapshot: Snapshot): Promise<void> {
  const { clock, patienceMs } = driver;
  const update = async (step: string, body: Fields) => {
    const exchange = await driver.send({
      step,
      operation: 'updateProfile',
      id: snapshot.id,
      body,
      evenIfStopping: true,
    });
    // The next reading shows whether it took effect. Somebody else may be using the profile.
    if (isLost(exchange) || [409, 423].includes(status(exchange) ?? 0)) driver.exclude(exchange);
    return exchange;
  };
  const one = async (part: Fields): Promise<Exchange> => {
    const [field = ''] = Object.keys(part);
    const exchange = await update(`restore-${field}`, part);
    // The setting was unset before. The interface shows no way to unset it: null and '' are the usual ones.
    const isUnset = Object.values(part).includes(null) && !snapshot.differing().includes(field);
    return part[field] !== null || isUnset ? exchange : update(`restore-${field}`, { [field]: '' });
  };
  // What an earlier run could not put back is tried once, without waiting.
  const giveUp = clock.now() + (snapshot.tries > 0 ? 0 : patienceMs);
  let stubborn = 0;
  let left: readonly string[] = [];
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    const read = await update('restore-read', snapshot.noop);
    if (!accepted(read)) left = [unreadable(outcome(read))];
    else {
      const parts = open(snapshot, clock.now());
      const answers: Exchange[] = [];
      const settable = parts.filter((part) => !Object.values(part).includes(null));
      const whole = settable.length > 0 ? await update('restore', Object.assign({}, ...settable)) : undefined;
      if (whole) answers.push(whole);
      if (!(whole && isPassing(whole) && clock.now() + pause < giveUp)) {
        const rest = open(snapshot, clock.now());
        if (rest.length > 0) answers.length = 0;
        for (const part of rest) answers.push(await one(part));
      }
      left = changesInWords(snapshot, clock.now());
      if (differences(snapshot, clock.now()).length === 0) break;
      if (answers.every(accepted) || (answers.some(accepted) && answers.every((one) => !isPassing(one)))) stubborn += 1;
      if (stubborn === enoughRefusals) break;
    }
    if (clock.now() + pause > giveUp) break;
    driver.reportProgress(`puts the profile back (${left.join(', ')})`);
    await clock.sleep(pause);
  }
  if (left.length === 0) await snapshot.notePutBack();
  else await snapshot.notePutBackFailed(left);
}

/** The remark if nothing could be put back, because the profile could not be read. */
export const unreadable = (why: string): string => `it could not be read (${why.replace(/\.$/, '')})`;

/** What became of a request, in words. */
export const outcome = (exchange: Exchange): string =>
  exchange.failure
    ? `no answer: ${exchange.failure.message}`
    : refused(exchange)
      ? `refused with ${status(exchange)}`
      : `answered ${status(exchange)}`;

/** What to ask for next. The description comes last, because it says that the profile is being changed. */
function open(snapshot: Snapshot, now: number): Fields[] {
  const all = differences(snapshot, now);
  const others = all.filter((part) => !('description' in part));
  return others.length > 0 ? others : all;
}

/** The differences, as parts of an update that can be sent separately. */
function differences(snapshot: Snapshot, now: number): Fields[] {
  const differing = snapshot.differing().filter((field) => !unsentFlags.includes(field));
  const before = (fields: readonly string[]): Fields =>
    Object.fromEntries(fields.map((field) => [field, snapshot.original[field] ?? null]));
  // These need each other, so they are sent together.
  const coupled = couplings
    .map(({ flag, needs }): string[] => [needs, flag])
    .filter((pair) => pair.some((field) => differing.includes(field)));
  const cookies = shownPlain(snapshot, 'cookies', snapshot.gone('cookies', now));
  const lost = shownPlain(snapshot, 'credentials', snapshot.gone('credentials', now));
  const credentials = shownPlain(snapshot, 'credentials', snapshot.credentialsWithOtherData({ bySent: true }));
  return [
    ...coupled.map(before),
    ...differing.filter((field) => !coupled.flat().includes(field)).map((field) => before([field])),
    ...lists.flatMap((list) => {
      const ids = idsOf(snapshot.added(list));
      return ids.length > 0 ? [{ [`${list}ToDelete`]: ids }] : [];
    }),
    ...(cookies.length > 0 ? [{ cookiesToAdd: cookies.map(({ id: _, createdAt: __, ...cookie }) => cookie) }] : []),
    ...(lost.length > 0 ? [{ credentialsToAdd: lost.map(({ name, data }) => ({ name, data })) }] : []),
    ...(credentials.length > 0 ? [{ credentialsToUpdate: credentials.map(({ name, data }) => ({ name, data })) }] : []),
  ];
}

/** What differs, with its original value. Values of cookies and credentials are left out, as they are secrets. */
function changesInWords(snapshot: Snapshot, now: number): string[] {
  const names = (items: readonly Fields[]) =>
    listOf(items)
      .map(({ name }) => JSON.stringify(name))
      .join(', ');
  const some = (items: readonly Fields[], text: string) => (items.length > 0 ? [`${text} ${names(items)}`] : []);
  return [
    ...snapshot.differing().map((field) => {
      const was = snapshot.original[field] ?? undefined;
      return `${field} (was ${was === undefined ? 'unset' : shortened(JSON.stringify(was))})`;
    }),
    ...lists.flatMap((list) => [
      ...some(snapshot.added(list), `${list} added:`),
      ...some(snapshot.gone(list, now), `${list} gone:`),
    ]),
    ...some(snapshot.cookiesWithOtherFlags(), 'cookies changed:'),
    ...some(snapshot.credentialsWithOtherData(), 'credentials changed:'),
  ];
}

const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
