import { type CouplingRule, couplings } from '../../../generated/flags.js';
import { Halt } from '../../engine/send/halt.js';
import { copySteps, duplicates } from '../copies/scenarios.js';
import { workpiece } from '../copies/workpiece.js';
import type { Driver, Journey } from '../driver.js';
import { Editor } from './editor.js';
import { lists } from './profile-lists.js';
import { settings } from './profile-settings.js';
import { refusedUpdates } from './refused-updates.js';

const couplingRules: readonly CouplingRule[] = couplings.map(({ rule }) => rule);

/** Updates and duplicates the profile, and puts it back. */
export const profile = {
  id: 'profile',
  effect: 'write',
  needs: ['profile'],
  stateless: true,
  steps: {
    ...copySteps,
    'restricted-*': ['insufficient-permission-is-403'],
    'invalid-*': ['invalid-key-is-401'],
    'none-*': ['missing-key-is-401', 'key-refusal-does-nothing'],
    'typed-*': ['update-body-is-typed'],
    'wrong-*': ['update-body-is-typed', 'profile-name-length', 'profile-description-length'],
    'name-0 name-256': ['profile-name-length'],
    'name-1 name-255': ['profile-name-length', 'update-applies'],
    'description-1001': ['profile-description-length'],
    'description-1000': ['profile-description-length', 'update-applies'],
    'name-taken': ['profile-name-is-unique', 'update-is-atomic'],
    'needed-off-under': [],
    atomic: ['update-is-atomic', 'profile-name-length'],
    'unknown-updated open-* coupled-alone coupled-without': ['update-is-atomic'],
    'coupled-* needed-*': [...couplingRules, 'update-is-partial'],
    'cookies-added': ['cookies-are-added', 'cookie-expiry-is-shown'],
    'cookie-deleted': ['cookies-are-deleted'],
    'credentials-added together-credential': ['credentials-are-added'],
    'credential-updated': ['credentials-update-ignores-case'],
    'credential-deleted': ['credentials-are-deleted'],
    'together-cookie': ['cookies-are-added'],
    'added-again many-added': ['cookies-are-added', 'credentials-are-added'],
    'many-deleted': ['cookies-are-deleted', 'credentials-are-deleted'],
    mixed: ['cookies-are-added', 'cookies-are-deleted', 'credentials-are-added', 'credentials-are-deleted'],
    'unknown-deleted': ['update-is-atomic', 'cookies-are-deleted'],
    'after-*': ['update-is-atomic', 'key-refusal-does-nothing'],
    'read*': [],
    '*': [
      'update-applies',
      'update-is-partial',
      'update-keeps-identity',
      'proxy-password-is-hidden',
      'inbox-default-prefix',
      'unknown-profile-is-404',
    ],
  },
  async run(driver) {
    const declared = new Editor(driver, driver.id(driver.facts.profile));
    if (!(await declared.open())) throw new Halt(declared.closed, 'profile');
    // Read before anything is changed, to see whether it changes too.
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
    // Only one profile should have changed.
    await other?.update('other-kept', other.noop);
  },
} as const satisfies Journey;

/** Another profile of the organization, if there is one that can be read. */
async function openOther(driver: Driver): Promise<Editor | undefined> {
  const { otherProfile } = driver.facts;
  if (otherProfile === undefined) return undefined;
  const other = new Editor(driver, otherProfile);
  return (await other.open('other-baseline')) ? other : undefined;
}

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
