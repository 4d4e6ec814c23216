/** Profiles that a run may change: copies that it makes, copies of earlier runs, and `scratchProfile`. */

import { couplings, plainFlags } from '../../../generated/flags.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  type Fields,
  idOfCopy,
  refused,
  requestBody,
  status,
} from '../../engine/outcome/read.js';
import { answeredAt, replicaLagMs } from '../../engine/outcome/when.js';
import { instant } from '../../engine/rule/times.js';
import { asText, idsOf, itemsOf, listOf, sameId } from '../../engine/rule/values.js';
import { Halt } from '../../engine/scenario/schedule.js';
import type { KnownCopy } from '../../engine/send/known-copies.js';
import type { Evidence, Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver } from '../driver.js';
import { deniedFor, keyFaults } from '../keys/headers.js';
import { updatesProfile } from '../operations.js';
import { Editor, outcome } from '../profiles/editor.js';
import { isItemOfSuite } from '../profiles/settings.js';
import { replayUpdates } from '../profiles/view.js';
import { isDeclared } from './known.js';
import { namedBack } from './view.js';

const noteOf = ({ run }: Driver): string =>
  `A copy made by the conformance suite in the run of ${run}. It may be deleted.`;
/** The beginning of such a description. */
const notes = /^A copy made by the conformance suite in the run of .*?It may be deleted\./;

/** What a run may change, and spares that cost no new copy. Throws `Halt` with what to do if there is nothing. */
export async function scratchProfiles(driver: Driver): Promise<{ readonly work: Editor; readonly spares: Editor[] }> {
  const { scratchProfile, stateful } = driver.facts;
  const own = scratchProfile ?? (stateful ? undefined : driver.id(undefined));
  const [first, ...more] = stateful ? await earlierCopies(driver) : [];
  if (own === undefined) return { work: first ?? (await newScratch(driver)), spares: more };
  const work = driver.mayChange(
    new Editor(driver, own, 'A scratch profile: each run of the conformance suite changes it.'),
  );
  if (!(await work.open(stateful ? 'scratch-profile' : 'baseline')))
    throw new Halt(work.closed ?? '', { need: 'profile' });
  return { work, spares: first ? [first.like(work), ...more] : [] };
}

/** The copies of earlier runs that still exist and say that the suite made them. */
async function earlierCopies(driver: Driver): Promise<Editor[]> {
  const look = async ({ id, description: made }: KnownCopy): Promise<Editor | undefined> => {
    const copy = new Editor(driver, id, noteOf(driver));
    if (!(await copy.open('earlier-copy'))) {
      const last = driver.sent.findLast(({ resource }) => resource === id);
      if (last && status(last) === 404) await driver.copies.forget(id);
      return undefined;
    }
    const { description, name } = copy.now;
    const [note] = notes.exec(asText(description ?? '')) ?? [];
    // A killed run may have been trying other descriptions, or may not have set one yet.
    const isOurs = note !== undefined || isItemOfSuite({ name }) || description === made;
    if (!isOurs) await driver.copies.forget(id);
    return isOurs ? driver.mayChange(new Editor(driver, id, note ?? copy.note, copy.now).like(copy)) : undefined;
  };
  const near = driver.copies.earlier.filter(({ isElsewhere }) => !isElsewhere);
  return (await allOrThrow(near.map(look))).filter((one) => one !== undefined);
}

/** Makes a copy of the declared profile, and reads it. */
async function newScratch(driver: Driver): Promise<Editor> {
  const { profile = '' } = driver.facts;
  const made = await duplicated(driver, 'scratch', profile, {}, undefined);
  const copy = await editorOf(driver, made);
  if (!copy) {
    if (refused(made) && status(made) !== 404)
      throw new Halt(`The profile could not be duplicated (${status(made)}).`, { need: 'profile', spent: 'copies' });
    throw new Halt(`The profile could not be duplicated: ${outcome(made)}.`, { need: 'profile' });
  }
  if (await copy.open()) return copy;
  if (copy.isMute) throw new Halt(copy.closed ?? '', { need: 'profile' });
  // What else shows of a copy that cannot be updated: its name, and whether it can be duplicated in turn.
  await duplicated(driver, 'duplicate', profile, undefined);
  const { organizationId } = copy.now;
  if (typeof organizationId === 'string') await duplicated(driver, 'duplicate-home', copy.id, { organizationId });
  throw new Halt(copy.closed ?? '', { need: 'profile' });
}

/** Duplicates a profile with the first of these bodies that the service does not refuse. */
export async function duplicated(
  driver: Driver,
  step: string,
  id: string,
  ...bodies: readonly (Fields | undefined)[]
): Promise<Exchange> {
  let last: Exchange | undefined;
  for (const body of bodies) {
    last = await driver.send({
      step,
      operation: 'duplicateProfile',
      id,
      ...(body && { body }),
      observes: ['duplicate-inbox-prefix'],
    });
    if (!refused(last)) break;
  }
  return last as Exchange;
}

/**
 * The editor of the copy that a duplication answered with. Undefined if it was there before: a faulty service may
 * answer with another profile, which the run must not change.
 */
export async function editorOf(driver: Driver, made: Exchange, like?: Editor): Promise<Editor | undefined> {
  const id = idOfCopy(made);
  const isKnown = (one: Exchange) => one !== made && (sameId(one.resource, id) || sameId(answerBody(one)?.id, id));
  if (id === undefined || isDeclared(driver.facts, id) || driver.sent.some(isKnown)) return undefined;
  const copy = answerBody(made) ?? {};
  if (!like && driver.facts.stateful && !isRecent(copy, made)) {
    // Its times are those of something older. Another copy with another id shows that each was made when asked for.
    const again = idOfCopy(await duplicated(driver, 'scratch-again', made.resource ?? '', {}, undefined));
    if (again === undefined || sameId(again, id) || isDeclared(driver.facts, again)) return undefined;
  }
  const editor = driver.mayChange(new Editor(driver, id, noteOf(driver), copy));
  return like ? editor.like(like) : editor;
}

/** Whether a copy was made when it was asked for, by the clock of the service. Clocks differ by less than ten minutes. */
const isRecent = ({ createdAt }: Fields, made: Exchange): boolean =>
  (instant(createdAt) ?? 0) >
  Math.min(instant(made.response?.headers.date) ?? Number.POSITIVE_INFINITY, answeredAt(made)) - 600_000;

/** An update that deletes cookies and credentials of a copy: all, or those that `pick` accepts. */
export function emptied(copy: Editor, evidence: Evidence, pick?: (item: Fields) => boolean): Fields {
  const idsOf = (list: 'cookies' | 'credentials') => {
    const ids = copy.idsOf(list, pick);
    return ids.length > 0 && isApart(copy, list, evidence) ? ids : [];
  };
  return { cookiesToDelete: idsOf('cookies'), credentialsToDelete: idsOf('credentials') };
}

/** Whether a profile was seen to change with a copy or its source. */
export const changeTogether = (profiles: Evidence['profiles']): boolean =>
  profiles.some((history) =>
    replayUpdates(history).some(({ changes }) => changes.some(({ cause }) => cause === 'copied')),
  );

/**
 * Whether deleting from a copy leaves its source alone, as far as was seen. Not if profiles were seen to change
 * together, or if two share ids, and none was seen to keep an item that was deleted from the other.
 */
function isApart({ id, now }: Editor, list: 'cookies' | 'credentials', { profiles, exchanges }: Evidence): boolean {
  if (changeTogether(profiles)) return false;
  const idsIn = (one: Fields | undefined): ReadonlySet<unknown> => new Set(idsOf(listOf(one?.[list])));
  const own = idsIn(now);
  const others = exchanges.filter((one) => accepted(one) && updatesProfile(one) && !sameId(one.resource, id));
  if (!others.some((one) => [...idsIn(answerBody(one))].some((item) => own.has(item)))) return true;
  const deleted = exchanges.flatMap((one) =>
    accepted(one) ? itemsOf(requestBody(one)?.[`${list}ToDelete`]).map((item) => ({ item, one })) : [],
  );
  return deleted.some(({ item, one }) =>
    others.some((other) => other.resource !== one.resource && other.id > one.id && idsIn(answerBody(other)).has(item)),
  );
}

/** The state in which a scratch profile stays behind. */
const plainState = (one: Editor, evidence: Evidence): Fields => ({
  name: `conformance-${one.id}`,
  description: one.note,
  extensionIds: [],
  ...Object.fromEntries(plainFlags.map((flag) => [flag, false])),
  ...Object.fromEntries(
    couplings.flatMap(({ flag, needs }) => [
      [flag, false],
      [needs, false],
    ]),
  ),
  ...emptied(one, evidence),
});

/**
 * Leaves each scratch profile of the run in the plain state, also if the run is being stopped; and copies that were made
 * though they should have been refused.
 */
export async function tidy(driver: Driver): Promise<void> {
  const { evidence } = driver;
  const isKnown = (id: string) => isDeclared(driver.facts, id) || driver.scratch.some((one) => sameId(one.id, id));
  const others = driver.sent.flatMap((one) => {
    const id = idOfCopy(one);
    const shown = answerBody(one) ?? {};
    return id !== undefined && !isKnown(id) && isRecent(shown, one)
      ? new Editor(driver, id, noteOf(driver), shown)
      : [];
  });
  await allOrThrow(
    [...driver.scratch.filter(({ isMute }) => !isMute), ...others].map(async (one) => {
      const plain = plainState(one, evidence);
      const { name: _, ...rest } = plain;
      const { cookiesToDelete, credentialsToDelete } = plain;
      // A service may refuse the name, and a firewall the words; the secrets must go nevertheless.
      for (const body of [plain, rest, { cookiesToDelete, credentialsToDelete }]) {
        const tidied = await one.update('tidied', body, { unjudged: true, evenIfStopping: true });
        if (!refused(tidied) && !outcomeOf(tidied).isBarred) return;
        if (status(tidied) === 404) return;
      }
    }),
  );
}

/**
 * Detects copies that a refused duplication made secretly: such a copy may have taken the name that another copy gave
 * up, so that it cannot get it back. A second copy tells whether that was chance.
 */
export async function getNamesBack(copy: Editor, another: Editor): Promise<void> {
  const made = (one: Editor) => one.driver.sent.find((exchange) => sameId(idOfCopy(exchange), one.id))?.resource;
  for (const one of [copy, another]) {
    const of = made(one);
    if (typeof of !== 'string' || !(await isLost(of, one))) return;
  }
}

/** Whether a copy cannot get its name back after refused duplications of its source. */
async function isLost(id: string, copy: Editor): Promise<boolean> {
  const { driver } = copy;
  const { name } = copy.now;
  const rename = async (step: string, to: unknown) => {
    const exchange = await copy.update(step, { name: to }, { unjudged: true });
    return accepted(exchange) && answerBody(exchange)?.name === to;
  };
  const other = `conformance-${copy.id}-away`;
  if (!(await rename('copy-renamed', other))) return false;
  if (!(await rename(namedBack.before, name))) {
    // A name may be free only a moment later; if it is not, update-applies judges that.
    await driver.pause(replicaLagMs);
    await rename('copy-named-back-later', name);
    return false;
  }
  if (!(await rename('copy-renamed-again', other))) return false;
  for (const [rule, credential, fault] of keyFaults) {
    if (!deniedFor(driver, credential, 'duplicateProfile')) continue;
    const step = `${credential}-duplicate`;
    const asked = { step, operation: 'duplicateProfile', id, credential } as const;
    if (accepted(await driver.probe(rule, fault, ['profile/duplicate'], asked))) break;
  }
  return !(await rename(namedBack.after, name));
}
