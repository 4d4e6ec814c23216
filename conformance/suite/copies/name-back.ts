import { accepted, answerBody } from '../../engine/outcome/read.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import { sameId } from '../../engine/rule/values.js';
import { deniedFor, keyFaults } from '../keys/faults.js';
import type { Editor } from '../profiles/editor.js';
import { idOfCopy } from './known.js';
import { namedBack } from './view.js';

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
