/** Tests that updates with a fault are refused, and change nothing. */

import { idSettings, plainFlags, words } from '../../../generated/flags.js';
import type { RuleId } from '../../../generated/rules.js';
import { accepted, answerBody, type Fields, requestBody } from '../../engine/outcome/read.js';
import { has, itemsOf, listOf } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow } from '../driver.js';
import { sendInvalidBodies, sendMissingBodies } from '../errors/invalid.js';
import { isAllowed, someOfEach } from '../invalid-bodies.js';
import { deniedFor, keyFaults } from '../keys/headers.js';
import type { Editor } from './editor.js';
import { neverKept, plainCookie, plainData } from './profile-lists.js';
import { coupledFlags, isItemOfSuite, lengthStep, settableAgain, textBounds } from './settings.js';

const neverSeen = 'Never to be seen.';
/** Values that lenient parsers accept as booleans. */
const noBooleans = ['yes', 1, 'true'] as const;

/** Sends updates with one fault each, and reads the profile afterwards. */
export async function refusedUpdates(editor: Editor): Promise<void> {
  const { driver, id } = editor;
  const probe = async (rule: RuleId, step: string, fault: string, control: string, body: Fields | string) => {
    const exchange = await driver.probe(rule, fault, [`profile/${control}`], {
      step,
      operation: 'updateProfile',
      id,
      ...(typeof body === 'string' ? { raw: { text: body, type: 'application/json' } } : { body }),
    });
    if (accepted(exchange)) await takeOut(editor, exchange, wrong);
  };
  /** The name of items that are wrong. No other item has it. */
  const wrong = `conformance-${driver.uniqueText('wrong')}`;
  // Valid changes beside one that is wrong: none of them may take effect.
  const mine = driver.uniqueText('atomic');
  const secret = plainData(neverKept);
  const cookie = plainCookie(mine, neverKept);
  const credential = { name: mine, data: secret };
  const everything = (): Fields => ({
    description: neverSeen,
    ...Object.fromEntries(plainFlags.map((flag) => [flag, editor.now[flag] !== true])),
    extensionIds: [],
    cookiesToAdd: [cookie],
    cookiesToDelete: editor.idsOf('cookies', isItemOfSuite).slice(0, 1),
    credentialsToAdd: [credential],
    credentialsToDelete: editor.idsOf('credentials', isItemOfSuite).slice(0, 1),
    credentialsToUpdate: listOf(editor.now.credentials)
      .filter(isItemOfSuite)
      .slice(1, 2)
      .map(({ name }) => ({ name, data: secret })),
  });
  await probe('profile-name-length', 'atomic', 'a name of 0 characters', 'name', { ...everything(), name: '' });
  await editor.update('after-atomic', editor.noop);
  // A refusal because of the key must come before anything is done.
  for (const [rule, credential, fault] of keyFaults)
    if (deniedFor(driver, credential, 'updateProfile'))
      await driver.probe(rule, fault, ['profile/description'], {
        step: `${credential}-atomic`,
        operation: 'updateProfile',
        id,
        credential,
        body: everything(),
      });
  await editor.update('after-wrong-keys', editor.noop);
  // The valid part comes first: a service may apply the body up to the fault.
  const typed = (slug: string, fault: string, change: Fields | string) => {
    const body = typeof change === 'string' ? change : { description: neverSeen, ...change };
    return (
      (typeof body === 'string' || !isAllowed('updateProfile', body)) &&
      probe('update-body-is-typed', `typed-${slug}`, fault, 'description', body)
    );
  };
  const wrongCookie = { ...cookie, name: wrong, key: wrong };
  const { name, description } = textBounds;
  const outside = (rule: RuleId, field: keyof typeof textBounds, text: string, bound: number) =>
    probe(rule, lengthStep(field, text.length), `a ${field} of ${text.length} characters`, lengthStep(field, bound), {
      [field]: text,
    });
  const own = itemsOf(editor.now.extensionIds);
  await allOrThrow([
    outside('profile-name-length', 'name', '', name.minimum),
    outside('profile-name-length', 'name', driver.uniqueText().padEnd(name.maximum + 1, 'x'), name.maximum),
    outside('profile-description-length', 'description', 'd'.repeat(description.maximum + 1), description.maximum),
    typed('name', 'a name that is a number', { name: 5 }),
    typed('description', 'a description that is a number', { description: 5 }),
    ...[...plainFlags, ...coupledFlags].map((flag, place) =>
      typed(`flag-${flag}`, 'a flag that is no boolean', { [flag]: noBooleans[place % noBooleans.length] }),
    ),
    typed('extension', 'an extension id that is no uuid', {
      extensionIds: [...own.slice(0, 1), 'not-a-uuid'],
    }),
    ...words.map(({ field, word }) => typed(field, `another ${field} than ${word}`, { [field]: 'premium' })),
    ...idSettings.map((field) => typed(field, `a ${field} that is no uuid`, { [field]: 'not-a-uuid' })),
    typed('prefix', 'an inboxEmailPrefix that is a number', { inboxEmailPrefix: 5 }),
    typed('cookies-object', 'cookiesToAdd that are no list', { cookiesToAdd: { name: 'conformance' } }),
    typed('credential-update', 'a credential to update without its name', { credentialsToUpdate: [{ data: 'data' }] }),
    // The first item is right: a service may check only the first.
    typed('cookie', 'a cookie without its key', { cookiesToAdd: [wrongCookie, { ...wrongCookie, key: undefined }] }),
    ...(['domain', 'name', 'value', 'secure'] as const).map((field) =>
      typed(`cookie-${field}`, `a cookie without its ${field}`, {
        cookiesToAdd: [{ ...wrongCookie, [field]: undefined }],
      }),
    ),
    typed('cookie-flag', 'a cookie with a flag that is no boolean', {
      cookiesToAdd: [{ ...wrongCookie, httpOnly: 'yes' }],
    }),
    typed('cookie-id', 'a cookie id that is no uuid', { cookiesToDelete: ['not-a-uuid'] }),
    typed('credential', 'a credential without its data', {
      credentialsToAdd: [{ ...credential, name: wrong }, { name: wrong }],
    }),
    typed('credential-name', 'a credential without its name', {
      credentialsToAdd: [{ data: `${wrong}-data` }],
    }),
    typed('credential-id', 'a credential id that is no uuid', { credentialsToDelete: ['not-a-uuid'] }),
    // For each field also the values that are nearly right, and one more wrong value.
    ...someOfEach('updateProfile', driver.constant('one more')).map(({ field, rule, fault, body }, place) =>
      probe(rule, `wrong-${field}-${place}`, fault, 'description', {
        description: neverSeen,
        ...named(body, `${wrong}-${place}`),
      }),
    ),
    typed('malformed-json', 'malformed JSON', '{"description": '),
    typed('no-object', 'a body that is no object', '["description"]'),
    ...sendInvalidBodies(driver, 'updateProfile', id),
    ...sendMissingBodies(driver, 'updateProfile', id),
  ]);
  await editor.update('after-refusals', editor.noop);
}

/** A generated body, with texts that nothing else has. */
const named = (body: Fields, text: string): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      field.endsWith('ToAdd') || field.endsWith('ToUpdate')
        ? JSON.parse(JSON.stringify(value).replaceAll('"text"', JSON.stringify(text)))
        : value,
    ]),
  );

/** Removes at once what a service wrongly accepted, and restores the settings that were sent with it. */
async function takeOut({ driver, id, now }: Editor, taken: Exchange, wrong: string): Promise<void> {
  const shown = answerBody(taken) ?? {};
  const idsOf = (list: 'cookies' | 'credentials') =>
    listOf(shown[list]).flatMap((item) => (JSON.stringify(item).includes(wrong) && has(item, 'id') ? [item.id] : []));
  const [cookiesToDelete, credentialsToDelete] = [idsOf('cookies'), idsOf('credentials')];
  const settings = Object.keys(requestBody(taken) ?? {}).filter((field) => settableAgain.includes(field));
  const body = {
    ...Object.fromEntries(settings.map((field) => [field, now[field]])),
    ...(cookiesToDelete.length > 0 && { cookiesToDelete }),
    ...(credentialsToDelete.length > 0 && { credentialsToDelete }),
  };
  if (Object.keys(body).length > 0)
    await driver.send({ step: 'taken-out', operation: 'updateProfile', id, body, unjudged: true });
}
