/** Tests the settings of a profile: texts, flags and extensions. */

import { couplings, openFlags, plainFlags } from '../../../generated/flags.js';
import { accepted, type Fields, requestBody } from '../../engine/outcome/read.js';
import { wide } from '../../engine/scenario/material.js';
import type { Editor, Update } from './editor.js';
import { lengthStep, textBounds } from './settings.js';

const longest = { name: textBounds.name.maximum, description: textBounds.description.maximum };

/** Changes texts, extensions and flags: together, and at the bounds of texts. */
export async function settings(editor: Editor): Promise<void> {
  const { driver } = editor;
  const material = driver.constant('settings');
  const name = `conformance-${driver.uniqueText('name')}`;
  await editor.update('name', { name });
  // Another update follows each name: it shows if the name was answered but not stored.
  // If a service accepts only ASCII letters, the bounds are tested with these.
  const hard = driver.lastAnswer('profile', 'hard-values');
  const letters = hard && accepted(hard) ? wide : ['x'];
  const long = { description: material.text(longest.description, editor.described(''), letters) };
  const asLong = await editor.update(lengthStep('description', longest.description), long);
  await editor.update(
    'description-astral',
    { description: material.astral(longest.description) },
    { unjudged: true, observes: ['text-length-unit'] },
  );
  // No other profile has this name.
  if (typeof editor.now.name === 'string') await editor.update('name-again', { name: editor.now.name });
  await editor.update(lengthStep('name', longest.name), {
    name: material.text(longest.name, name, letters),
  });
  // With patterns of flags. No two flags have the same value in all patterns, so mixed-up flags show.
  const bare = { description: editor.described('Without extensions.'), extensionIds: [] };
  await editor.update('extensions', { ...bare, ...pattern(editor, 2) });
  // Another profile may already have a name of one character.
  const unique = driver.uniqueMaterial('letters');
  for (const letter of [0, 1, 2].map(() => unique.letter(letters)))
    if (accepted(await editor.update(lengthStep('name', textBounds.name.minimum), { name: letter }))) break;
  // It shows also whether the name was kept.
  await editor.update('unknown-field', { ...editor.noop, conformanceSuite: true } as Update, {
    observes: ['unknown-request-fields'],
  });
  const { extensionIds } = editor;
  await editor.update('extensions-back', { name, ...(accepted(asLong) && long), extensionIds, ...pattern(editor, 4) });
  // All at once: neighbouring flags differ.
  const changed = await editor.update('everything', {
    name,
    description: editor.described(`Everything changed: ${name}.`),
    extensionIds,
    ...pattern(editor, 1),
  });
  await editor.update('everything-kept', editor.noop);
  // Sending the current values again changes nothing.
  await editor.update('everything-again', requestBody(changed) ?? editor.noop);
}

/** Sets each flag by a binary digit of its position. */
const pattern = ({ driver }: Editor, digit: number): Fields => {
  const isOn = driver.constant('flags').pick([true, false]);
  return Object.fromEntries(plainFlags.map((flag, place) => [flag, ((place & digit) === 0) === isOn]));
};

/**
 * Turns each flag on, off in reverse order, on in that order, and off again. So a flag that follows another one shows,
 * whichever of them is on. Texts are changed too. Those that depend on others are tested while all are on.
 */
export async function flags(editor: Editor): Promise<void> {
  /** Turns a flag off, and sets a description. */
  const off = (step: string, flag: string) =>
    editor.update(step, { [flag]: false, description: editor.described(`Without ${flag}.`) });
  await editor.update('flags-off', Object.fromEntries(plainFlags.map((flag) => [flag, false])));
  for (const flag of plainFlags) await editor.update(`flag-${flag}`, { [flag]: true });
  const reversed = plainFlags.toReversed();
  for (const flag of reversed) await off(`flag-${flag}-back`, flag);
  for (const flag of reversed) await editor.update(`flag-${flag}-again`, { [flag]: true });
  await conditional(editor);
  for (const flag of plainFlags) await off(`flag-${flag}-off`, flag);
  await editor.update('description-blank', { description: '' });
}

/** Flags that depend on others, or need something that the suite may not have. */
async function conditional(editor: Editor): Promise<void> {
  for (const { flag, needs } of couplings) {
    await editor.update('coupled-off', { [flag]: false });
    await editor.update('needed-off', { [needs]: false });
    await editor.update('coupled-alone', { [flag]: true }, { mayBeRefused: true });
    // The refused update must not have turned anything on.
    await editor.update('coupled-kept', editor.noop);
    await editor.update(
      'coupled-without',
      // With a valid description: a refused update must not change it.
      { [needs]: false, [flag]: true, description: editor.described('One that is on without what it needs.') },
      { mayBeRefused: true },
    );
    await editor.update('coupled-with', { [needs]: true, [flag]: true });
    await editor.update('needed-off-under', { [needs]: false }, { mayBeRefused: true });
    await editor.update('needed-on', { [needs]: true });
    await editor.update('coupled-on', { [flag]: true });
    // Off while the one it needs is on: nothing else turned it off.
    await editor.update('coupled-off-alone', { [flag]: false });
    await editor.update('coupled-on-again', { [flag]: true });
  }
  for (const { flag, gap } of openFlags)
    await editor.update(`open-${flag}`, { [flag]: editor.now[flag] !== true }, { observes: [gap], mayBeRefused: true });
}
