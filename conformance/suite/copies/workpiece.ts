/** What a run changes in the place of the declared profile. */

import { accepted } from '../../engine/outcome/read.js';
import { behindMs } from '../../engine/outcome/when.js';
import type { Driver } from '../driver.js';
import type { Editor } from '../profiles/editor.js';
import { sameSetting, unlike } from '../profiles/settings.js';
import { describedAs, earlierCopies } from './earlier.js';
import { editorOf } from './made.js';

/** With fewer there would be none to compare with what it was made of. */
const fewest = 2;

/**
 * A copy of the profile to change in its place: whatever becomes of the run, the profile is as it was, and nothing that
 * others do to it is undone. Undefined where there is none, or where the profile changes with it.
 */
export async function workpiece(profile: Editor): Promise<Editor | undefined> {
  if (!profile.driver.facts.stateful) return undefined;
  // What a look changes by itself shows before anything is made or changed.
  await profile.update('baseline-again', profile.noop);
  const copy = await made(profile);
  return copy && (await isApart(copy, profile)) ? copy : undefined;
}

/** The one that the journey of the profile had, as far as it is apart. */
export function workpieceOf(driver: Driver, profile: string): string | undefined {
  const changed = ['workpiece-changed', 'workpiece-changed-again'].map((step) => driver.lastAnswer('profile', step));
  const taken = changed.find((one) => one && accepted(one));
  return driver.snapshots.of(profile)?.isApart ? (taken?.resource ?? undefined) : undefined;
}

async function made(profile: Editor): Promise<Editor | undefined> {
  const { driver, id } = profile;
  if (driver.budget.copiesLeft < fewest) return (await earlierCopies(profile, 1))[0];
  const duplicated = await driver.send({
    step: 'workpiece',
    operation: 'duplicateProfile',
    id,
    observes: ['duplicate-inbox-prefix'],
  });
  return editorOf(profile, duplicated);
}

/** Whether the profile stays as it is when its copy changes. */
async function isApart(copy: Editor, profile: Editor): Promise<boolean> {
  const { driver } = profile;
  const before = profile.now;
  const body = { description: describedAs('it is changed in the place of its source.') };
  let changed = await copy.update('workpiece-changed', body, { unjudged: true });
  if (!accepted(changed)) {
    // Once every part of the service can know it.
    await driver.pause(behindMs);
    changed = await copy.update('workpiece-changed-again', body, { unjudged: true });
  }
  await profile.update('source-of-workpiece', profile.noop);
  const follows = [...unlike(before, profile.now)].some((one) => sameSetting(one, profile.now[one], copy.now[one]));
  const snapshot = driver.snapshots.of(profile.id);
  if (snapshot) {
    if (follows) snapshot.dirty = true;
    else if (accepted(changed)) snapshot.isApart = true;
  }
  return accepted(changed) && !follows;
}
