import { Halt } from '../../engine/send/halt.js';
import { duplicates } from '../copies/scenarios.js';
import { workpiece } from '../copies/workpiece.js';
import type { Driver, Journey } from '../driver.js';
import { Editor } from './editor.js';
import { lists } from './profile-lists.js';
import { settings } from './profile-settings.js';
import { refusedUpdates } from './refused-updates.js';

/** Updates and duplicates the profile, and puts it back. */
export const profile: Journey = {
  id: 'profile',
  effect: 'write',
  needs: ['profile'],
  after: ['start', 'start-sync', 'refusals'],
  stateless: true,
  async run(driver) {
    const declared = new Editor(driver, driver.id(driver.facts.profile));
    if (!(await declared.open())) throw new Halt(declared.closed, 'profile');
    // Before anything is changed: what changes with it shows by that.
    const other = await openOther(driver);
    try {
      const editor = (await workpiece(declared)) ?? (await declared.marked());
      await settings(editor);
      await lists(editor);
      await refusedUpdates(editor, other);
      await duplicates(editor);
      if (editor !== declared) await declared.update('profile-kept', declared.noop);
    } finally {
      await declared.restore();
    }
    // All that was changed was changed of one profile alone.
    await other?.update('other-kept', other.noop);
  },
};

/** Another profile of the organization, as far as it can be read. */
async function openOther(driver: Driver): Promise<Editor | undefined> {
  const { otherProfile } = driver.facts;
  if (otherProfile === undefined) return undefined;
  const other = new Editor(driver, otherProfile);
  return (await other.open('other-baseline')) ? other : undefined;
}
