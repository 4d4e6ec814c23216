import type { Journey } from '../driver.js';
import { Editor } from './editor.js';

/** Puts back every profile that requests may have changed since it was last put back. */
export const putBackChangedProfiles = (after: readonly Journey[]) =>
  ({
    id: 'put-back',
    effect: 'write',
    needs: ['profile'],
    after: after.map(({ id }) => id),
    steps: {
      '*': ['update-keeps-identity'],
    },
    async run(driver) {
      for (const { id } of driver.snapshots.all) await new Editor(driver, id).restore();
    },
  }) as const satisfies Journey;
