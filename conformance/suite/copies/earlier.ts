/** What becomes of copies after a run: they are described as copies, emptied of secrets, and used by later runs. */

import { isId } from '../../engine/outcome/ids.js';
import { isLost, outcomeOf } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, type Fields, status } from '../../engine/outcome/read.js';
import { asText, listOf, sameId } from '../../engine/rule/values.js';
import { Halt } from '../../engine/send/halt.js';
import type { UncleanedCopy } from '../../engine/send/journal/journal.js';
import { allows } from '../../engine/settings/needs.js';
import type { LeftBehind } from '../../engine/vocabulary/report.js';
import type { Evidence, Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { Editor } from '../profiles/editor.js';
import { lists } from '../profiles/restorable.js';
import { outcome, unreadable } from '../profiles/restore.js';
import { isNoop } from '../profiles/settings.js';
import { isAsLeft } from './known.js';
import { isApart, isNew } from './separate-copies.js';

/** The description of a copy after the run. It tells people, and the next run, what the profile is. */
export const note = 'A copy made by the conformance suite. It may be deleted.';

/** The description of a copy during the run. It too shows that the copy is the suite's. */
export const describedAs = (what: string): string => `A copy made by the conformance suite: ${what}`;

const earlierStep = 'earlier-copy';

/**
 * Copies of earlier runs that this run can use instead of new ones: those that still exist, in the organization of
 * their source, and are still described as copies. If somebody else has taken one into use, it is left alone.
 */
export async function earlierCopies(source: Editor, most: number): Promise<Editor[]> {
  const { driver } = source;
  const found: Editor[] = [];
  for (const id of (await driver.copies.earlier(driver.sent)).tidied) {
    if (found.length >= most) break;
    if (sameId(id, source.id)) continue;
    const copy = new Editor(driver, id);
    copy.noop = source.noop;
    const look = await copy.update(earlierStep, copy.noop, { unjudged: true });
    const { description, organizationId: home } = copy.now;
    const isHome = home === source.now.organizationId || sameId(home, source.now.organizationId);
    const isOurs = description === note && isHome;
    if (accepted(look) && isOurs) {
      copy.original = copy.now;
      found.push(copy);
      driver.addLeftBehind({ kind: 'profile', id, note: 'a copy that an earlier run made, used again' });
    } else if ((accepted(look) && description !== note) || (status(look) === 404 && !isLost(look))) {
      await driver.copies.forget(id);
    }
  }
  return found;
}

/** The copies that a run made or used again, each as it was last shown. */
function copiesIn(exchanges: readonly Exchange[]): Map<string, Fields> {
  const last = new Map<unknown, Fields>();
  const copies = new Map<string, Fields>();
  for (const one of exchanges) {
    const shown = accepted(one) ? answerBody(one) : undefined;
    if (!shown) continue;
    const { operation, resource, mark } = one;
    const isEarlier = mark?.step === earlierStep && shown.description === note;
    if (operation === 'updateProfile') {
      if (resource !== null && (copies.has(resource) || isEarlier)) copies.set(resource, shown);
      last.set(resource, shown);
    }
    if (operation === 'duplicateProfile' && isId(shown.id)) {
      if (!last.has(shown.id) && isNew(shown, last.get(resource))) copies.set(shown.id, shown);
      last.set(shown.id, shown);
    }
  }
  return copies;
}

/** An update that deletes all cookies and credentials of a copy, if the source was seen to keep its own. */
export function emptied(evidence: Evidence, id: string, shown: Fields): Fields {
  const of = (list: 'cookies' | 'credentials') =>
    isApart(id, list, evidence)
      ? listOf(shown[list])
          .map((item) => item.id)
          .filter(isId)
      : [];
  return { cookiesToDelete: of('cookies'), credentialsToDelete: of('credentials') };
}

/**
 * Describes each copy of the run as a copy, and deletes its cookies and credentials. The sources are read last, because
 * a faulty service may have changed them too. Then tidies what earlier runs left, and returns what became of it.
 */
export async function tidy(driver: Driver): Promise<LeftBehind[]> {
  const { profile, otherProfile, allow } = driver.facts;
  const copies = [...copiesIn(driver.sent)].filter(([id]) => ![profile, otherProfile].some((one) => sameId(one, id)));
  const { evidence } = driver;
  for (const [id, shown] of copies) {
    const editor = new Editor(driver, id);
    editor.now = shown;
    for (const { noop } of driver.snapshots.all) editor.noop = noop;
    // A key may lack permissions in another organization.
    const asked = { unjudged: true, evenIfStopping: true };
    const lists = emptied(evidence, id, shown);
    const tidied = await editor.update('copy-tidied', { description: note, ...lists }, asked);
    // A firewall may bar the words of the note; the secrets must go nevertheless.
    if (outcomeOf(tidied).isBarred && !isNoop(lists)) await editor.update('copy-emptied', lists, asked);
  }
  await lookAtSources(driver, copies.length);
  await driver.copies.tidied(copies.map(([id]) => id));
  return allows(allow, 'write') ? tidyEarlier(driver) : [];
}

/**
 * Tidies the copies of runs that were killed before they could. Copies that somebody has taken into use are left alone.
 * Returns what became of each. If the run is stopped, or the profile cannot be read, a later run tries again.
 */
export async function tidyEarlier(driver: Driver): Promise<LeftBehind[]> {
  const { profile } = driver.facts;
  const { untidied } = await driver.copies.earlier(driver.sent);
  if (profile === undefined || untidied.length === 0) return [];
  driver.reportProgress('tidies the copies that a killed run left');
  const source = new Editor(driver, profile);
  const left: LeftBehind[] = [];
  try {
    if (!(await source.open('earlier-source'))) return [];
    for (const copy of untidied) {
      const became = await tidyOne(source, copy);
      if (became === undefined) continue;
      await driver.copies.tidied([copy.id]);
      if (became !== 'gone')
        left.push({ kind: 'profile', id: copy.id, note: `a copy that a killed run left: ${became}` });
    }
    await lookAtSources(driver, untidied.length);
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
  return left;
}

/** What became of a copy, in words; undefined if that is unknown. */
async function tidyOne(source: Editor, made: UncleanedCopy): Promise<string | undefined> {
  const { driver } = source;
  const { id } = made;
  const copy = new Editor(driver, id);
  copy.noop = source.noop;
  const look = await copy.update('earlier-copy-read', copy.noop, { unjudged: true });
  if (isLost(look)) return undefined;
  if (!accepted(look)) {
    await driver.copies.forget(id);
    return status(look) === 404 ? 'gone' : `${unreadable(outcome(look))}; it may hold cookies and credentials`;
  }
  if (copy.now.description !== note && !isAsLeft(asText(copy.now.description ?? ''), made)) {
    await driver.copies.forget(id);
    return 'its description has changed since, so it was left alone; it may hold cookies and credentials';
  }
  const body = { description: note, ...emptied(driver.evidence, id, copy.now) };
  const tidied = await copy.update('earlier-copy-tidied', body, { unjudged: true });
  if (isLost(tidied)) return undefined;
  const isEmpty = lists.every((list) => listOf(copy.now[list]).length === 0);
  return accepted(tidied) && isEmpty
    ? 'its cookies and credentials were deleted'
    : 'it still holds cookies or credentials';
}

/** Reads the sources again, and puts them back: a faulty service may have changed them with a copy. */
async function lookAtSources(driver: Driver, copies: number): Promise<void> {
  for (const snapshot of copies > 0 ? driver.snapshots.all : []) {
    snapshot.isChanged = true;
    await new Editor(driver, snapshot.id).restore();
  }
}
