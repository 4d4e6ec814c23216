/** Copies that a run changes, one of them instead of the declared profile. */

import { accepted, answerBody, type Fields, refused } from '../../engine/outcome/read.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import { sameId } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { Editor } from '../profiles/editor.js';
import { diff, sameSetting } from '../profiles/settings.js';
import { describedAs, earlierCopies } from './earlier.js';
import { isNew } from './separate-copies.js';

/** With fewer copies left, none could be compared with its source. */
const fewest = 2;

/**
 * Makes a copy to be changed instead of the profile, so that the profile is safe whatever becomes of the run, and
 * changes of others to it are not undone. Undefined if there is no copy, or if the profile changes with it.
 */
export async function workpiece(profile: Editor): Promise<Editor | undefined> {
  if (!profile.driver.facts.stateful) return undefined;
  // Shows what a reading itself changes, before anything is made or changed.
  await profile.update('baseline-again', profile.noop);
  const copy = await made(profile);
  return copy && (await isApart(copy, profile)) ? copy : undefined;
}

/** The editor of the copy that a duplication answered with. */
export function editorOf(
  { driver, id, noop, now: source }: Editor,
  exchange: Exchange | undefined,
): Editor | undefined {
  const copy = exchange && accepted(exchange) ? answerBody(exchange) : undefined;
  if (typeof copy?.id !== 'string' || sameId(copy.id, id) || !isNew(copy, source)) return undefined;
  const editor = new Editor(driver, copy.id);
  editor.noop = noop;
  editor.original = editor.now = copy;
  return editor;
}

async function made(profile: Editor): Promise<Editor | undefined> {
  const { driver, id } = profile;
  if (driver.budget.copiesLeft < fewest) return (await earlierCopies(profile, 1))[0];
  const duplicate = (body?: Fields) =>
    driver.send({
      step: 'workpiece',
      operation: 'duplicateProfile',
      id,
      ...(body && { body }),
      observes: ['duplicate-inbox-prefix'],
    });
  // To name the organization of the source is to ask for what is done by default.
  const { organizationId } = profile.now;
  const named = typeof organizationId === 'string' ? await duplicate({ organizationId }) : undefined;
  return editorOf(profile, named && !refused(named) ? named : await duplicate());
}

/** Whether the profile stays as it is when its copy changes. */
async function isApart(copy: Editor, profile: Editor): Promise<boolean> {
  const { driver } = profile;
  const before = profile.now;
  const body = { description: describedAs('it is changed in the place of its source.') };
  let changed = await copy.update('workpiece-changed', body, { unjudged: true });
  if (!accepted(changed)) {
    // Wait until every instance of the service can know it.
    await driver.pause(replicaLagMs);
    changed = await copy.update('workpiece-changed-again', body, { unjudged: true });
  }
  await profile.update('source-of-workpiece', profile.noop);
  const follows = [...diff(before, profile.now)].some((one) => sameSetting(one, profile.now[one], copy.now[one]));
  const snapshot = driver.snapshots.of(profile.id);
  if (snapshot) {
    if (follows) snapshot.isChanged = true;
    else if (accepted(changed)) snapshot.isApart = true;
  }
  return accepted(changed) && !follows;
}
