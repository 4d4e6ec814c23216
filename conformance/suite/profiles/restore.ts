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
/** Rounds in which a service takes other settings and refuses one: it will not take it. */
const enoughRefusals = 3;

/** What the service may say of itself rather than of what was asked: busy, locked, too many, broken. */
const isPassing = (exchange: Exchange): boolean => {
  const code = status(exchange) ?? 0;
  return [0, 408, 409, 423, 425, 429].includes(code) || code >= 500;
};

/** What could be put back of a list: nothing that is shown in the place of a secret may become the secret. */
const shownPlain = (snapshot: Snapshot, list: List, items: readonly Fields[]): Fields[] =>
  snapshot.isPlain(list)
    ? items.filter((item) => {
        const secret = item[secrets[list]];
        return typeof secret === 'string' && secret !== '' && !isMasked(secret);
      })
    : [];

/**
 * Puts a profile back as it was: reads it, asks for all that differs at once but its description, then for each setting by itself, and again
 * with growing pauses while the service refuses for a reason that may pass. Goes on while the run is being stopped; ends
 * with the target's patience. The snapshot then tells what stays different.
 */
export async function putBack(driver: Driver, snapshot: Snapshot): Promise<void> {
  const { clock, patienceMs } = driver;
  const update = async (step: string, body: Fields) => {
    const exchange = await driver.send({ step, operation: 'updateProfile', id: snapshot.id, body, always: true });
    // Whether it was made is seen at the next look; somebody else may use the profile.
    if (isLost(exchange) || [409, 423].includes(status(exchange) ?? 0)) driver.exclude(exchange);
    return exchange;
  };
  const one = async (part: Fields): Promise<Exchange> => {
    const [field = ''] = Object.keys(part);
    const exchange = await update(`restore-${field}`, part);
    // It was unset before: the interface shows no way back, and these are the usual ones.
    const isUnset = Object.values(part).includes(null) && !snapshot.differing().includes(field);
    return part[field] !== null || isUnset ? exchange : update(`restore-${field}`, { [field]: '' });
  };
  // What an earlier run could not put back is tried once more, and not waited for.
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
    driver.says(`puts the profile back (${left.join(', ')})`);
    await clock.sleep(pause);
  }
  if (left.length === 0) await snapshot.settled();
  else await snapshot.stays(left);
}

/** That nothing can be put back, as nobody knows what it is. */
export const unreadable = (why: string): string => `it could not be read (${why.replace(/\.$/, '')})`;

/** What became of a request, in words. */
export const outcome = (exchange: Exchange): string =>
  exchange.failure
    ? `no answer: ${exchange.failure.message}`
    : refused(exchange)
      ? `refused with ${status(exchange)}`
      : `answered ${status(exchange)}`;

/** What is to be asked for next: the description comes last, as it tells that the profile is changed. */
function open(snapshot: Snapshot, now: number): Fields[] {
  const all = differences(snapshot, now);
  const others = all.filter((part) => !('description' in part));
  return others.length > 0 ? others : all;
}

/** What an update would have to ask for, each a part that can be asked for by itself. */
function differences(snapshot: Snapshot, now: number): Fields[] {
  const differing = snapshot.differing().filter((field) => !unsentFlags.includes(field));
  const before = (fields: readonly string[]): Fields =>
    Object.fromEntries(fields.map((field) => [field, snapshot.original[field] ?? null]));
  // The one needs the other.
  const coupled = couplings
    .map(({ flag, needs }): string[] => [needs, flag])
    .filter((pair) => pair.some((field) => differing.includes(field)));
  const cookies = shownPlain(snapshot, 'cookies', snapshot.gone('cookies', now));
  const lost = shownPlain(snapshot, 'credentials', snapshot.gone('credentials', now));
  const credentials = shownPlain(snapshot, 'credentials', snapshot.rewritten({ bySent: true }));
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

/** What is not as it was, each with what it was. Values of cookies and credentials are nobody's business. */
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
    ...some(snapshot.redirected(), 'cookies changed:'),
    ...some(snapshot.rewritten(), 'credentials changed:'),
  ];
}

const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
