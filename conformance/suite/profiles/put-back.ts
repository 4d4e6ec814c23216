import type { Journey } from '../driver.js';
import { Editor } from './editor.js';

/** Looks once more at every profile that was asked to change since it was put back, and puts it back. */
export const putBackRest = (after: readonly Journey[]) =>
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
