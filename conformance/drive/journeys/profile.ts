import type { Journey } from '../driver.js';
import { Halt } from '../halt.js';
import { duplicates } from './duplicates.js';
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
    const editor = new Editor(driver, driver.id(driver.facts.profile));
    if (!(await editor.open())) throw new Halt(editor.closed, 'profile');
    let other: Editor | undefined;
    try {
      await settings(editor);
      await lists(editor);
      other = await refusedUpdates(editor);
      await duplicates(editor);
    } finally {
      await editor.restore();
    }
    // All that was changed and put back was changed of one profile alone.
    await other?.update('other-kept', other.noop);
  },
};
