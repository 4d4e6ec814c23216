import { accepted, type Fields } from '../../evidence/read.js';
import { plainFlags } from '../../evidence/settings.js';
import type { Journey } from '../driver.js';
import { Halt } from '../session.js';
import { duplicates } from './duplicates.js';
import { Editor } from './editor.js';
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
    if (!(await editor.open()))
      throw new Halt('The profile cannot be read: an update that changes nothing is refused.');
    try {
      await settings(editor);
      await cookiesAndCredentials(editor);
      await refusedUpdates(editor);
      await duplicates(editor);
    } finally {
      await editor.restore();
    }
  },
};

async function settings(editor: Editor): Promise<void> {
  const { driver } = editor;
  const name = `conformance-${driver.unique()}`;
  await editor.update('description', { description: `Changed by the conformance suite (${name}): ünïcode, "<&>"` });
  await editor.update('flags', Object.fromEntries(plainFlags.map((flag) => [flag, editor.now[flag] !== true])));
  await editor.update('flags-kept', { description: '' });
  await editor.update('name', { name });
  await editor.update('name-255', { name: name.padEnd(255, 'x') });
  // A name of one character may be taken by another profile.
  for (const letter of [0, 1, 2].map(() =>
    String.fromCharCode(97 + (Number.parseInt(driver.unique().slice(0, 2), 16) % 26)),
  ))
    if (accepted(await editor.update('name-1', { name: letter }))) break;
  await editor.update('description-1000', { name, description: 'd'.repeat(1000) });
  await editor.update('extensions', { extensionIds: [] });
  // Back again: the duplicate has to show that it copies them.
  await editor.update('extensions-back', { extensionIds: editor.original.extensionIds ?? [] });
  await editor.update('popup-off', { popupBlockerActive: false });
  await editor.update('adblock-off', { adblockActive: false });
  await editor.update('popup-without-adblock', { popupBlockerActive: true });
  await editor.update('popup-with-adblock', { adblockActive: true, popupBlockerActive: true });
  await editor.update('adblock-off-under-popup', { adblockActive: false });
  await editor.update(
    'tracing',
    { tracingEnabled: editor.now.tracingEnabled !== true },
    { asks: ['tracing-without-admin'] },
  );
  await editor.update(
    'captcha',
    { captchaSolverActive: editor.now.captchaSolverActive !== true },
    { asks: ['managed-proxy-flags'] },
  );
  await editor.update('unknown-field', { conformanceSuite: true }, { asks: ['unknown-request-fields'] });
}

async function cookiesAndCredentials(editor: Editor): Promise<void> {
  const { driver } = editor;
  const mine = `conformance-${driver.unique()}`;
  const cookie = (name: string, more: Fields = {}): Fields => ({
    domain: 'conformance.example',
    httpOnly: true,
    key: name,
    name,
    secure: true,
    value: 'crumbs',
    ...more,
  });
  await editor.update(
    'cookies-added',
    {
      cookiesToAdd: [
        cookie(`${mine}-1`, { id: driver.unknownId(), expiry: '2040-01-01T00:00:00Z' }),
        cookie(`${mine}-2`, { httpOnly: false, secure: false }),
      ],
    },
    { asks: ['cookie-id-sent'] },
  );
  await editor.update(
    'credentials-added',
    {
      credentialsToAdd: [
        { name: `${mine}-One`, data: 'first secret' },
        { name: `${mine}-two`, data: 'second secret' },
      ],
    },
    { asks: ['credential-data-visible'] },
  );
  // Not right after the cookies were added: what is gone then was deleted, and not lost.
  await editor.update('cookie-deleted', {
    cookiesToDelete: editor.idsOf('cookies', ({ name }) => name === `${mine}-2`),
  });
  await editor.update('credential-updated', {
    credentialsToUpdate: [{ name: `${mine}-ONE`.toUpperCase(), data: 'changed secret' }],
  });
  await editor.update('credential-deleted', {
    credentialsToDelete: editor.idsOf('credentials', ({ name }) => name === `${mine}-two`),
  });
}
