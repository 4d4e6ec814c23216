import { isLost } from '../../evidence/lost.js';
import { accepted, answer, type Fields, status } from '../../evidence/read.js';
import { isUuid, listOf, sameId } from '../../evidence/values.js';
import type { Exchange } from '../../vocabulary.js';
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
  const copies = new Map<string, Fields>();
  for (const one of exchanges) {
    const shown = accepted(one) ? answer(one) : undefined;
    if (!shown) continue;
    const { operation, resource, mark } = one;
    const isEarlier = mark?.step === earlierStep && shown.description === note;
    if (operation === 'updateProfile' && resource !== null && (copies.has(resource) || isEarlier))
      copies.set(resource, shown);
    // A service that is wrong may answer with a profile that was there before.
    const isOld = exchanges.some((before) => before.id < one.id && sameId(before.resource, shown.id));
    if (operation === 'duplicateProfile' && isUuid(shown.id) && !isOld) copies.set(shown.id, shown);
  }
  return copies;
}

/** Says in each copy of the run what it is, and leaves none of its source's cookies and credentials in it. */
export async function tidy(driver: Driver, exchanges: readonly Exchange[]): Promise<void> {
  const { profile, otherProfile } = driver.facts;
  for (const [id, shown] of copiesIn(exchanges)) {
    if ([profile, otherProfile].some((one) => sameId(one, id))) continue;
    const ids = (list: 'cookies' | 'credentials') => listOf(shown[list]).map((item) => item.id);
    const [cookies, credentials] = [ids('cookies').filter(isUuid), ids('credentials').filter(isUuid)];
    await driver.send({
      step: 'copy-tidied',
      operation: 'updateProfile',
      id,
      body: {
        description: note,
        ...(cookies.length > 0 && { cookiesToDelete: cookies }),
        ...(credentials.length > 0 && { credentialsToDelete: credentials }),
      },
      // A key may lack the permission for what is in another organization.
      odd: true,
      always: true,
    });
  }
}
