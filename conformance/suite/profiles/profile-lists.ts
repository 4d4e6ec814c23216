/** Tests the lists of a profile: cookies and credentials. */

import { couplings, plainFlags } from '../../../generated/flags.js';
import { samples } from '../../../generated/samples.js';
import { accepted, type Fields, requestBody } from '../../engine/outcome/read.js';
import { asText, listOf, sameName } from '../../engine/rule/values.js';
import { wide } from '../../engine/scenario/material.js';
import type { Driver } from '../driver.js';
import type { Editor, Update } from './editor.js';
import { lengthStep, textBounds } from './settings.js';

/** Cookies and credentials that the suite makes up, with names that begin with `mine`. */
const items = (mine: string) => ({
  cookie: (name: string, more: Fields = {}): Fields => plainCookie(`${mine}-${name}`, 'crumbs', more),
  credential: (name: string, data: string): Fields => ({ name: `${mine}-${name}`, data: plainData(data) }),
});

const longestDescription = textBounds.description.maximum;

/** How many more to add, to see that lists hold more than a few. */
const many = { cookies: 18, credentials: 10 };

/** What the items of the lists share: the beginning of their names, and their secrets. */
function common({ driver }: Editor) {
  const mine = `conformance-${driver.uniqueText('lists')}`;
  return { mine, ...items(mine) };
}

/** Adds the first items: first those that a service may refuse, since limits are not shown. */
export async function firstItems(editor: Editor): Promise<void> {
  const { driver } = editor;
  const { mine, cookie, credential } = common(editor);
  await editor.attempt(
    hardCookiesStep,
    {
      cookiesToAdd: [
        cookie('hard', { id: driver.unknownId('cookie'), expiry: '2040-06-15T13:24:35+02:00' }),
        cookie('empty', { value: '', secure: false, expiry: '2035-01-01T00:00:00Z' }),
      ],
    },
    { observes: ['cookie-id-sent'] },
  );
  await editor.attempt('credentials-hard', {
    credentialsToAdd: [
      { name: `${mine}-One more`, data: 'not to be changed either' },
      // The same letters without accents: they must not be taken for those with accents.
      credential('AOZЖ', 'not-to-be-changed-at-all'),
      credential('ÄÖŽЖ', 'to-be-changed-too'),
      // Like a key file; its name begins with that of one that is deleted.
      { name: `${mine}-two of JSON`, data: '{"key": "a/b+c==", "scopes": [1.0, 2]}' },
    ],
  });
  await editor.update('cookies-added', {
    cookiesToAdd: [
      cookie('1'),
      cookie('2', { httpOnly: false }),
      // The same name with another domain is another cookie.
      cookie('1', { domain: `other.${domain}`, httpOnly: false, value: 'other-crumbs' }),
      // Names of cookies are case-sensitive.
      cookie('Three', { key: `${mine}-Key` }),
    ],
  });
  await editor.update(
    'credentials-added',
    {
      credentialsToAdd: [
        credential('One', 'first-secret'),
        credential('two', 'second-secret'),
        // Would also match `wild_card` if that were taken for a pattern.
        credential('wild-card', 'not-to-be-changed'),
        credential('wild_card', 'to-be-changed'),
      ],
    },
    { observes: ['credential-data-visible'] },
  );
}

/** Changes the lists in several updates: adds, deletes, adds again, several at once, and together. */
export async function lists(editor: Editor): Promise<void> {
  const { driver } = editor;
  const { mine, cookie, credential } = common(editor);
  const named =
    (...names: string[]) =>
    ({ name }: Fields) =>
      names.some((one) => name === `${mine}-${one}`);
  // In an update of its own: an item that is gone now was deleted, not lost when it was added.
  await editor.update('cookie-deleted', {
    cookiesToDelete: editor.idsOf(
      'cookies',
      (item) => named('1')(item) && asText(item.domain).includes(`other.${domain}`),
    ),
  });
  /** Changes of existing credentials, under names in another case. */
  const changes = (...pairs: [name: string, as: string, data: string][]) => ({
    credentialsToUpdate: pairs
      .filter(([name]) => listOf(editor.now.credentials).some((item) => sameName(item.name, `${mine}-${name}`)))
      .map(([, as, data]) => ({ name: as, data: plainData(data) })),
  });
  await editor.update(
    'credential-updated',
    changes(
      ['wild_card', `${mine}-wild_card`.toUpperCase(), 'changed-card'],
      ['ÄÖŽЖ', `${mine}-äöžж`, 'changed-far'],
      ['One', `${mine}-ONE`.toUpperCase(), 'changed-secret'],
    ),
  );
  await editor.update('credential-deleted', {
    credentialsToDelete: editor.idsOf('credentials', ({ name }) => sameName(name, `${mine}-two`)),
  });
  await editor.update('mixed', {
    description: editor.described(`Changed beside cookies and credentials (${mine}).`).padEnd(longestDescription, '.'),
    cookiesToAdd: [
      cookie('1', { domain: `other.${domain}`, value: 'crumbs-again' }),
      cookie('5', { value: 'crumbs-again' }),
    ],
    cookiesToDelete: editor.idsOf('cookies', named('2')),
    // Data that another credential has too.
    credentialsToAdd: [credential('two', 'changed-again'), credential('five', 'added-later')],
    credentialsToDelete: editor.idsOf('credentials', ({ name }) => sameName(name, `${mine}-wild-card`)),
    ...changes(['One', `${mine}-one`, 'changed-again']),
  });
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
  const manyCookies = numbers(many.cookies).map((n) => cookie(`many-${n}`, { value: `crumbs-${n}` }));
  const manyCredentials = numbers(many.credentials).map((n) => credential(`many-${n}`, `secret-${n}-of-many`));
  await editor.attempt('many-added', { cookiesToAdd: manyCookies, credentialsToAdd: manyCredentials });
  const even = ({ name }: Fields) => /-many-\d*[02468]$/.test(asText(name)) && asText(name).includes(mine);
  await editor.update('many-deleted', {
    cookiesToDelete: editor.idsOf('cookies', even),
    credentialsToDelete: editor.idsOf('credentials', even),
  });
  // It is not said what happens to items that exist already.
  await editor.update(
    'added-again',
    { cookiesToAdd: manyCookies.slice(0, 1), credentialsToAdd: manyCredentials.slice(0, 1) },
    { unjudged: true },
  );
  // It is left open whether unknown ids may be deleted. The rest of the update takes effect, or all of it is refused.
  await editor.update(
    'unknown-deleted',
    { cookiesToDelete: [driver.unknownId('gone'), ...editor.idsOf('cookies', named('5'))] },
    { unjudged: true },
  );
  // Nor is it said what happens to data for an unknown name.
  await editor.update(
    'unknown-updated',
    {
      description: editor.described('Beside data for a name that none has.').padEnd(longestDescription, '.'),
      credentialsToUpdate: [
        ...changes(['five', `${mine}-FIVE`, 'changed-beside-it']).credentialsToUpdate,
        { name: `${mine}-nobody`, data: plainData('of-nobody') },
      ],
    },
    { unjudged: true },
  );
  await editor.update(
    'only-unknown-deleted',
    {
      cookiesToDelete: [driver.unknownId('no cookie')],
      credentialsToDelete: [driver.unknownId('no credential')],
    },
    { unjudged: true },
  );
  // Empty lists change nothing; whether they are accepted is not said.
  await editor.update(
    'lists-empty',
    {
      cookiesToAdd: [],
      cookiesToDelete: [],
      credentialsToAdd: [],
      credentialsToDelete: [],
      credentialsToUpdate: [],
    },
    { unjudged: true },
  );
  await editor.update('lists-kept', editor.noop);
}

// The cookies and credentials of the suite: how they are named, and those that strict services accept too.

/** A subdomain of a domain that exists: some services check for a known suffix. */
export const domain = 'conformance.example.com';

/** `value`: letters, digits and hyphens, which no service interprets. */
export const plainCookie = (name: string, value: string, more: Fields = {}): Fields => ({
  ...samples.Cookie.minimal,
  domain,
  httpOnly: true,
  key: name,
  name,
  secure: true,
  value,
  ...more,
});

const hardCookiesStep = 'cookies-hard';

/** An expiry, if the service accepted one before: some keep no cookie for longer than browsers do. */
export function knownExpiry(driver: Driver): Fields {
  const tried = driver.lastAnswer(`profile/${hardCookiesStep}`);
  return tried && accepted(tried) ? { expiry: '2040-01-01T00:00:00Z' } : {};
}

/** The value of items that are sent with something that must be refused. */
export const neverKept = 'never-to-be-kept';

/** Data of a credential: the interface only says that it is a text. This one is also JSON, and a service may accept nothing else. */
export const plainData = (secret: string): string => JSON.stringify({ secret });

// Tests the settings of a profile: texts, flags and extensions.

const longest = { name: textBounds.name.maximum, description: textBounds.description.maximum };

/** Changes texts, extensions and flags: together, and at the bounds of texts. */
export async function settings(editor: Editor): Promise<void> {
  const { driver } = editor;
  const material = driver.constant('settings');
  const name = `conformance-${driver.uniqueText('name')}`;
  await editor.update('name', { name });
  // Another update follows each name: it shows if the name was answered but not stored.
  // If a service accepts only ASCII letters, the bounds are tested with these.
  const hard = driver.lastAnswer('profile/hard-values');
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

/** Flags that depend on others. */
async function conditional(editor: Editor): Promise<void> {
  for (const { flag, needs } of couplings) {
    await editor.update('coupled-off', { [flag]: false });
    await editor.update('needed-off', { [needs]: false });
    await editor.update('coupled-alone', { [flag]: true });
    // The refused update must not have turned anything on.
    await editor.update('coupled-kept', editor.noop);
    await editor.update(
      'coupled-without',
      // With a valid description: a refused update must not change it.
      { [needs]: false, [flag]: true, description: editor.described('One that is on without what it needs.') },
    );
    await editor.update('coupled-with', { [needs]: true, [flag]: true });
    await editor.update('needed-off-under', { [needs]: false });
    await editor.update('needed-on', { [needs]: true });
    await editor.update('coupled-on', { [flag]: true });
    // Off while the one it needs is on: nothing else turned it off.
    await editor.update('coupled-off-alone', { [flag]: false });
    await editor.update('coupled-on-again', { [flag]: true });
  }
}
