import { isApart, isNew } from '../../evidence/apart.js';
import { isLost } from '../../evidence/lost.js';
import { accepted, answer, type Fields, status } from '../../evidence/read.js';
import { isUuid, listOf, sameId } from '../../evidence/values.js';
import type { Evidence, Exchange } from '../../vocabulary.js';
import type { Driver } from '../driver.js';
import { Editor } from './editor.js';

/** What a copy is described as when the run is over: by it a person knows it, and the next run. */
export const note = 'A copy made by the conformance suite. It may be deleted.';

const earlierStep = 'earlier-copy';

/**
 * Copies of earlier runs for this one to use, so that it needs no new ones: those that are still there, in the organization
 * of their source, and described as copies. What somebody has taken into use is nobody's to change.
 */
export async function earlierCopies(source: Editor, most: number): Promise<Editor[]> {
  const { driver } = source;
  const found: Editor[] = [];
  for (const id of await driver.earlierCopies()) {
    if (found.length >= most) break;
    const copy = new Editor(driver, id);
    copy.noop = source.noop;
    const look = await copy.update(earlierStep, copy.noop, { odd: true });
    const { description, organizationId: home } = copy.now;
    const isHome = home === source.now.organizationId || sameId(home, source.now.organizationId);
    const isOurs = description === note && isHome;
    if (accepted(look) && isOurs) {
      copy.original = copy.now;
      found.push(copy);
      driver.leaves({ kind: 'profile', id, note: 'a copy that an earlier run made, used again' });
    } else if ((accepted(look) && description !== note) || (status(look) === 404 && !isLost(look))) {
      await driver.forgetCopy(id);
    }
  }
  return found;
}

/** The copies that a run made or used again, each as it was last shown. */
function copiesIn(exchanges: readonly Exchange[]): Map<string, Fields> {
  const last = new Map<unknown, Fields>();
  const copies = new Map<string, Fields>();
  for (const one of exchanges) {
    const shown = accepted(one) ? answer(one) : undefined;
    if (!shown) continue;
    const { operation, resource, mark } = one;
    const isEarlier = mark?.step === earlierStep && shown.description === note;
    if (operation === 'updateProfile') {
      if (resource !== null && (copies.has(resource) || isEarlier)) copies.set(resource, shown);
      last.set(resource, shown);
    }
    if (operation === 'duplicateProfile' && isUuid(shown.id)) {
      if (!last.has(shown.id) && isNew(shown, last.get(resource))) copies.set(shown.id, shown);
      last.set(shown.id, shown);
    }
  }
  return copies;
}

/** What deletes all cookies and credentials from a copy, as far as its source is seen to keep its own. */
export function emptied(evidence: Evidence, id: string, shown: Fields): Fields {
  const of = (list: 'cookies' | 'credentials') =>
    isApart(id, list, evidence)
      ? listOf(shown[list])
          .map((item) => item.id)
          .filter(isUuid)
      : [];
  return { cookiesToDelete: of('cookies'), credentialsToDelete: of('credentials') };
}

/**
 * Says in each copy of the run what it is, and leaves none of its source's cookies and credentials in it. What they were made
 * of is looked at last: a service that is wrong may have changed it with them.
 */
export async function tidy(driver: Driver, exchanges: readonly Exchange[]): Promise<void> {
  const { profile, otherProfile } = driver.facts;
  const copies = [...copiesIn(exchanges)].filter(([id]) => ![profile, otherProfile].some((one) => sameId(one, id)));
  const { evidence } = driver;
  for (const [id, shown] of copies) {
    const editor = new Editor(driver, id);
    editor.now = shown;
    for (const { noop } of driver.snapshots) editor.noop = noop;
    // A key may lack the permission for what is in another organization.
    const asked = { odd: true, always: true };
    await editor.update('copy-tidied', { description: note, ...emptied(evidence, id, shown) }, asked);
  }
  for (const snapshot of copies.length > 0 ? driver.snapshots : []) {
    snapshot.dirty = true;
    await new Editor(driver, snapshot.id).restore();
  }
}
