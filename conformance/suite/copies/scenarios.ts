/** Duplicates profiles, and tries on copies what could not be undone. */

import { couplings, openFlags, plainFlags, words } from '../../../generated/flags.js';
import type { RuleId } from '../../../generated/rules.js';
import { accepted, type Fields, isClientError, refused, startedId, status } from '../../engine/outcome/read.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import { asText, idsOf, itemsOf, listOf, sameId } from '../../engine/rule/values.js';
import { wide } from '../../engine/scenario/material.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver, Steps } from '../driver.js';
import type { Editor, Update } from '../profiles/editor.js';
import { knownExpiry, neverKept, plainCookie, plainData } from '../profiles/profile-lists.js';
import { coupledFlags, isItemOfSuite, oneFlag } from '../profiles/settings.js';
import { marked } from '../starts/requests.js';
import { duplicated, editorOf, emptied } from './scratch.js';

/** Which rules each step is sent for; the first name that matches counts. */
export const copySteps = {
  'copy-name-400': ['profile-name-length'],
  'copy-description-1500': ['profile-description-length'],
  'name-taken copy-name-taken': ['profile-name-is-unique', 'update-is-atomic'],
  'copy-named-back-later': ['update-applies'],
  'copy-abroad-name-taken': ['profile-name-is-unique'],
  'copy-abroad-named duplicate-abroad': [],
  'copy-coupled': ['update-is-atomic'],
  'copy-cookies-emptied': ['cookies-are-deleted'],
  'copy-first-credential': ['credentials-are-added'],
  'copy-first-blank copy-first-changed': ['credentials-update-ignores-case'],
  'copy-emptied*': ['cookies-are-deleted', 'credentials-are-deleted'],
  'copy-prefix copy-prefix-digits': ['inbox-custom-prefix'],
  'duplicate-nowhere': ['duplicate-into-unknown-organization'],
  'scratch*': ['duplicate-is-new', 'duplicate-is-independent'],
  'duplicate-home': ['duplicate-is-new', 'duplicate-is-independent', 'duplicate-into-organization'],
  'duplicate-elsewhere*': [
    'duplicate-into-organization',
    'duplicate-copies-settings',
    'duplicate-copies-cookies',
    'duplicate-copies-credentials',
  ],
  'duplicate*': [
    'duplicate-is-new',
    'duplicate-is-independent',
    'duplicate-copies-settings',
    'duplicate-copies-cookies',
    'duplicate-copies-credentials',
    'duplicate-name-is-unique',
    'duplicate-stays-in-organization',
  ],
} as const satisfies Steps;

/** What browsers keep of a cookie: this many bytes of name and value together. RFC 6265bis, 5.6. */
const longestCookie = 4096;

/** How many more cookies and credentials a profile has when it is copied. */
const many = 50;
const manyOf = (driver: Driver): string => `conformance-${driver.uniqueText('last')}`;

/** Puts into a profile what a copy of it has to have. */
export async function fill(work: Editor): Promise<void> {
  const { driver } = work;
  const last = manyOf(driver);
  const added = (names: readonly string[]): Update => ({
    cookiesToAdd: names.map((name) => plainCookie(name, 'the-last')),
    credentialsToAdd: names.map((name) => ({ name, data: plainData('the-last') })),
  });
  // What it has itself is enough; if it has no extension, a service may take an id that none has.
  const extensionIds =
    itemsOf(work.now.extensionIds).length > 0 ? {} : { extensionIds: [driver.unknownId('extension')] };
  const more = await work.attempt('filled-more', {
    ...extensionIds,
    ...Object.fromEntries(words.map(({ field, word }) => [field, word])),
    // It is not shown how many items a profile may have; a copy must have as many.
    ...added([...Array.from({ length: many }, (_, n) => `${last}-${n + 1}`), last]),
  });
  for (const { flag, gap } of openFlags)
    await work.attempt(`open-${flag}`, { [flag]: work.now[flag] !== true }, { observes: [gap] });
  const description = work.described('Filled.'.padEnd(200, '.'));
  await work.update('filled', { description, ...turned(work), ...(!accepted(more) && added([last])) });
}

/** How many cookies and credentials hold hard values. */
const hard = 10;

/**
 * Puts values into a profile that are easily damaged on the way: a copy of it has to have them too. Limits are not shown,
 * so a refusal violates nothing.
 */
export async function fillWithHardValues(work: Editor): Promise<void> {
  const { driver } = work;
  const material = driver.constant('hard-values');
  const begin = `conformance-${driver.uniqueText('hard')}`;
  const values = material.shares(hard).map((text, place) => [`${begin}-${place + 1}`, text] as const);
  await work.attempt('hard-values', {
    name: material.phrase(`${begin} ${wide.join('')} 🦊 "A & B's"  1/2: c, d;`, 120),
    description: material.phrase(work.described('Hard values:'), 900),
    cookiesToAdd: [
      ...values.map(([name, value]) => plainCookie(name, value)),
      plainCookie(`${begin}-json`, '{"size":1.0,"tabs":[]}'),
      plainCookie(`${begin}-long`, 'crumbs-'.repeat(longestCookie).slice(0, longestCookie - begin.length - 5)),
    ],
    // A secret consists of all its characters, also blanks at its ends.
    credentialsToAdd: [
      ...values,
      [`${begin}-blanks`, '  between blanks \n'] as const,
      [`${begin}-number`, '0042'] as const,
      [`${begin}-long`, material.text(300)] as const,
    ].map(([name, data]) => ({ name, data })),
  });
  await work.update('hard-values-kept', work.noop);
  const isThere = work.idsOf('credentials', ({ name }) => name === `${begin}-blanks`).length > 0;
  await work.attempt('hard-values-changed', {
    description: '007',
    ...(isThere && { credentialsToUpdate: [{ name: `${begin}-BLANKS`, data: ' p=;%_ changed secret\t' }] }),
  });
}

/** Whether the budget has room for a copy besides those that are kept for something else. */
function hasRoom({ budget, copies }: Driver, kept = 0): boolean {
  const has = budget.copiesLeft > kept;
  copies.wereTooMany ||= !has;
  return has;
}

/** Duplicates a profile, as long as the budget has a copy left. */
export async function copyOf(work: Editor): Promise<Editor | undefined> {
  const { driver, id } = work;
  if (!hasRoom(driver)) return undefined;
  // Sent while the budget has a copy left, in case a service makes one. A correct service makes none.
  await driver.probe(
    'duplicate-into-unknown-organization',
    'an organization that does not exist',
    ['profile/duplicate', 'profile/duplicate-home'],
    { step: 'duplicate-nowhere', operation: 'duplicateProfile', id, body: { organizationId: driver.unknownId() } },
  );
  const copy = await editorOf(driver, await duplicated(driver, 'duplicate', id, undefined, {}), work);
  await work.update('source-after-first', work.noop);
  await copy?.update('copy-described', { description: copy.described('As it was made.') });
  return copy;
}

/**
 * Tests whether a copy and its source change with each other: changes the copy and reads the source, and the other way
 * round. Then asks each for the name of the other.
 */
export async function besideOthers(work: Editor, copy: Editor): Promise<void> {
  const secret = `conformance-${copy.driver.uniqueText('last')}`;
  await change(copy, 'copy-updated', copy.described('Updated.'), {
    ...turned(copy),
    extensionIds: [],
    credentialsToUpdate: [{ name: secret, data: plainData('changed-with-copy-updated') }],
  });
  await work.update('source-unchanged', work.noop);
  await change(work, 'source-updated', work.described('Updated.'), turned(work));
  await copy.update('copy-unchanged', copy.noop);
  await askForSources(copy, work);
  const taken = (one: Editor, other: Editor, step: string, more: Fields) =>
    typeof other.now.name === 'string' &&
    one.driver.probe('profile-name-is-unique', "another profile's name", ['profile/name', 'profile/everything'], {
      step,
      operation: 'updateProfile',
      id: one.id,
      body: { ...more, name: other.now.name },
    });
  await taken(work, copy, 'name-taken', {});
  await work.update('source-kept', work.noop);
  // A refused update must leave all of the profile unchanged: together with valid changes.
  const { driver } = copy;
  const description = copy.described('Not to have the name of its source.');
  await taken(copy, work, 'copy-name-taken', { ...refusedBeside(driver.uniqueText('taken')), description });
  await copy.update('copy-kept', copy.noop);
  await copy.update('copy-emptied-first', emptied(copy, driver.evidence));
}

/** Duplicates the declared profile once more: what it shows of the profile must be what the first copy showed. */
export async function copyOfDeclared(work: Editor): Promise<Editor | undefined> {
  const { driver } = work;
  const { profile, otherOrganization } = driver.facts;
  const { organizationId } = work.now;
  // One copy is kept for the other organization, which shows more.
  if (profile === undefined || !hasRoom(driver, otherOrganization === undefined ? 0 : 1)) return undefined;
  const home = typeof organizationId === 'string' ? [{ organizationId }] : [];
  const copy = await editorOf(driver, await duplicated(driver, 'duplicate-home', profile, ...home, {}), work);
  const description = copy?.described('It was made last.');
  await copy?.update('copy-emptied-at-once', { description, ...emptied(copy, driver.evidence) });
  return copy;
}

/** Leaves in a profile only cookies and credentials that the suite made up: what follows needs no more. */
export const leaveMadeUp = (work: Editor): Promise<Exchange> => {
  const last = manyOf(work.driver);
  const isLeft = (item: Fields) => isItemOfSuite(item) && !asText(item.name).startsWith(`${last}-`);
  return work.update(
    'made-up-left',
    emptied(work, work.driver.evidence, (item) => !isLeft(item)),
  );
};

/** Copies of a profile in the other organization. */
export interface Abroad {
  readonly abroad?: Editor | undefined;
  readonly abroadToo?: Editor | undefined;
}

/** Duplicates a profile into the other organization, as long as the budget has copies left. */
export async function elsewhere(work: Editor): Promise<Abroad> {
  const { driver, id } = work;
  const { otherOrganization: organizationId } = driver.facts;
  if (organizationId === undefined || !hasRoom(driver)) return {};
  await work.update(
    'copy-custom-proxy',
    { customProxy: { server: 'proxy.example.com:3128', username: 'conformance', password: 'never to be shown' } },
    { observes: ['custom-proxy-request'] },
  );
  const name = `conformance-${driver.uniqueText('turned')}`;
  await work.update('flags-turned', {
    ...turned(work),
    cookiesToAdd: [plainCookie(name, 'the-last')],
    credentialsToAdd: [{ name, data: plainData('the-last') }],
  });
  const made = await duplicated(driver, 'duplicate-elsewhere', id, { organizationId });
  const abroad = await editorOf(driver, made, work);
  let abroadToo: Editor | undefined;
  if (accepted(made) && driver.budget.copiesLeft > 0) {
    // Shows whether the source is as its last update left it.
    await work.update('source-after-elsewhere', work.noop);
    // With the flags inverted, the next copy shows flags that are lost while on, or wrongly turned on.
    await work.update('flags-turned-again', {
      ...turned(work),
      // Flags that need another one, together with that one: they are consistent.
      ...Object.fromEntries(coupledFlags.map((flag) => [flag, true])),
      description: work.described('Changed again.'),
    });
    // The first copy may have its source's name there. Whether the second gets another or is refused is not shown.
    const ask = {
      step: 'duplicate-elsewhere-too',
      operation: 'duplicateProfile',
      id,
      body: { organizationId },
    } as const;
    abroadToo = await editorOf(driver, await driver.send({ ...ask, unjudged: true }), work);
  }
  await work.update('source-after-duplicating', work.noop);
  return { abroad, abroadToo };
}

/** A key may lack permissions in another organization. */
const denials: readonly unknown[] = [401, 403, 404];

/** Names are unique within an organization: the name of a copy here is free in the other one, for one profile. */
export async function nameAbroad(copy: Editor, { abroad, abroadToo }: Abroad): Promise<void> {
  const { driver } = copy;
  if (!abroad) return;
  const name = nameOf(copy);
  const named = await abroad.update('copy-abroad-named', { name }, { unjudged: true });
  if (isClientError(named) && !denials.includes(status(named)))
    await abroad.update('copy-abroad-named-otherwise', { name: nameOf(abroad) }, { unjudged: true });
  if (!abroadToo || sameId(abroadToo.id, abroad.id)) return;
  await driver.probe('profile-name-is-unique', "another copy's name", ['profile/copy-abroad-named'], {
    step: 'copy-abroad-name-taken',
    operation: 'updateProfile',
    id: abroadToo.id,
    body: { name },
    unjudged: !accepted(named) || abroad.now.name !== name,
  });
}

/**
 * Changes a copy while an execution uses it, which a service may refuse. Neither the execution nor the settings that it
 * started with may overwrite the change.
 */
export async function changeInUse(copy: Editor): Promise<void> {
  const { driver } = copy;
  const { tempFile, workflows } = driver.facts;
  const { slow } = workflows;
  if (slow === undefined || !driver.mayStart('profile/copy-in-use')) return;
  const step = 'copy-in-use';
  const body = { ...marked(driver, step), profileId: copy.id, ...(tempFile && { tempFiles: [tempFile] }) };
  const ask = { step, operation: 'execute', id: slow, body } as const;
  const started = await driver.startOnce({ ...ask, unjudged: true });
  const executionId = startedId(refused(started) ? await useAlone(copy, slow) : started);
  if (executionId === undefined) return;
  await driver.follow(executionId, 'running', (status) => status === 'running');
  const description = copy.described('Changed in use.');
  const changed = await copy.update('copy-in-use-changed', { description }, { unjudged: true });
  const isOver = driver.runInParallel(driver.follow(executionId, 'completed'));
  if (!accepted(changed)) await isOver;
  await copy.update('copy-in-use-kept', copy.noop);
  await isOver;
  await copy.update('copy-after-use', copy.noop);
}

/** Starts without the temp file, which may be gone, and once every instance of the service can know the copy. */
async function useAlone({ driver, id: profileId }: Editor, workflow: string): Promise<Exchange> {
  const step = 'copy-in-use-alone';
  await driver.pause(replicaLagMs);
  const body = { ...marked(driver, step), profileId };
  return driver.startOnce({ step, operation: 'execute', id: workflow, body, unjudged: true });
}

/** Changes a description, and items: some are deleted and added. */
async function change(editor: Editor, step: string, description: string, more: Fields = {}): Promise<void> {
  const { driver, now } = editor;
  const mine = (list: 'cookies' | 'credentials') => listOf(now[list]).filter(isItemOfSuite);
  const [cookie] = mine('cookies').slice(-1);
  const [gone] = mine('credentials').slice(-2);
  const name = `conformance-${driver.uniqueText(step)}`;
  await editor.update(step, {
    ...more,
    description,
    cookiesToAdd: [plainCookie(name, `added-with-${step}`, knownExpiry(driver))],
    ...(cookie && { cookiesToDelete: idsOf([cookie]) }),
    credentialsToAdd: [{ name, data: plainData(`added-with-${step}`) }],
    ...(gone && { credentialsToDelete: idsOf([gone]) }),
  });
}

/** Asks a copy to delete items of its source only: ids must be looked up in the profile that is addressed. */
async function askForSources(copy: Editor, source: Editor): Promise<void> {
  const only = (list: 'cookies' | 'credentials') => {
    const own = copy.idsOf(list, () => true);
    return source
      .idsOf(list, isItemOfSuite)
      .filter((id) => !own.some((one) => sameId(one, id)))
      .slice(0, 1);
  };
  const [cookiesToDelete, credentialsToDelete] = [only('cookies'), only('credentials')];
  // A service may refuse ids that the copy does not have.
  await copy.update('copy-asked-for-the-sources', { cookiesToDelete, credentialsToDelete }, { unjudged: true });
}

/** Changes that cannot be undone. The copy stays behind in any case. */
export async function tune(copy: Editor): Promise<void> {
  const { driver } = copy;
  await copy.update(
    'copy-assigned',
    {
      createdAt: '2001-01-01T00:00:00Z',
      description: copy.described('Fields that the contract does not name are left alone.'),
    } as Update,
    { unjudged: true },
  );
  // Followed by changes of other settings: it must stay.
  for (const { field, word } of words) await copy.update('copy-proxy', { [field]: word });
  await setPrefix(copy, driver.uniqueText('prefix'));
  // JSON that some stores cannot hold. It may be refused or altered, but must not cause an error.
  await copy.update(
    'copy-hard-to-keep',
    { description: copy.described('Half \ud800 of a pair, \u0000.') },
    { unjudged: true },
  );
  // The prefix must stay.
  await copy.update('copy-prefix-kept', {
    name: nameOf(copy),
    description: copy.described('Its prefix stays.'),
    cookiesToAdd: [plainCookie(`conformance-${driver.uniqueText('beside prefix')}`, 'crumbs')],
  });
  // Digits alone are a valid prefix too, if it may begin with digits.
  const number = `00${digits(driver.uniqueText('digits'))}`;
  await copy.update('copy-prefix-digits', {
    inboxEmailPrefix: number,
    description: copy.described('Its inbox has another prefix.'),
  });
  for (const [rule, step, fault, body] of tooLong(copy))
    await driver.probe(rule, fault, ['profile/copy-updated'], { step, operation: 'updateProfile', id: copy.id, body });
  await copy.update('copy-tuned', copy.noop);
  for (const { flag, needs } of couplings)
    await copy.update('copy-coupled', {
      description: copy.described('One that is on without what it needs.'),
      [needs]: false,
      [flag]: true,
    });
}

/** Items that must never appear in a list. */
const refusedBeside = (name: string): Fields => ({
  cookiesToAdd: [plainCookie(name, neverKept)],
  credentialsToAdd: [{ name, data: plainData(neverKept) }],
});

/** Valid prefixes are not shown: tries long ones first, down to a few letters and digits. */
async function setPrefix(copy: Editor, unique: string): Promise<void> {
  const long = `conformance-${unique}`;
  for (const inboxEmailPrefix of [`${long}.with_dot+tag`, `${long}.with_dot`, long])
    if (!isClientError(await copy.attempt('copy-prefix', { inboxEmailPrefix }))) return;
  await copy.update('copy-prefix', { inboxEmailPrefix: `c${unique}` });
}

/** Empties the lists of a profile, which should hold no secrets; then uses the empty lists. */
export async function emptyLists(work: Editor): Promise<void> {
  const { driver } = work;
  const { cookiesToDelete } = emptied(work, driver.evidence);
  await work.update('copy-cookies-emptied', { cookiesToDelete });
  await work.update('copy-emptied', emptied(work, driver.evidence));
  const name = `conformance-${driver.uniqueText('first')}`;
  const added = { name, data: plainData('the-first-of-its-list') };
  const beside = { name: `${name}-beside`, data: plainData('the-second-of-its-list') };
  await work.update('copy-first-credential', { credentialsToAdd: [added, beside] });
  const changed = (data: string) => ({ credentialsToUpdate: [{ name: name.toUpperCase(), data }] });
  await work.attempt('copy-first-blank', changed(''));
  await work.update('copy-first-changed', changed(plainData('the-first-of-its-list-changed')));
  await work.update('copy-emptied-again', emptied(work, driver.evidence));
}

/** Gives a profile back a name that it had before, which no other has; if that is refused, another one. */
export async function nameAsBefore(work: Editor): Promise<void> {
  const { driver } = work;
  const name = nameOf(work);
  const named = await work.attempt('named-as-before', { name });
  if (!isClientError(named)) return;
  await driver.pause(replicaLagMs);
  const again = await work.update('named-as-before-later', { name }, { unjudged: true });
  if (isClientError(again)) await work.update('named-otherwise', { name: `${name}-otherwise` }, { unjudged: true });
}

/** A name that no other copy has, not even one of a run with the same seed. */
const nameOf = ({ id }: Editor): string => `conformance-${id}`;

/** Texts that are far too long, with other changes. */
const tooLong = ({ driver, note }: Editor): [rule: RuleId, step: string, fault: string, body: Fields][] => [
  [
    'profile-name-length',
    'copy-name-400',
    'a name of 400 characters',
    { description: `${note} Never to be seen.`, name: driver.uniqueText('too long').padEnd(400, 'ж') },
  ],
  [
    'profile-description-length',
    'copy-description-1500',
    'a description of 1500 characters',
    { ...oneFlag(() => true), name: driver.uniqueText('not too long'), description: note.padEnd(1500, 'ж') },
  ],
];

const digits = (hex: string): string => String(Number.parseInt(hex, 16));

/** Each flag inverted, except that flags which need another one are off. */
const turned = ({ now }: Editor): Fields => ({
  ...Object.fromEntries(plainFlags.map((flag) => [flag, now[flag] !== true])),
  ...Object.fromEntries(
    couplings.flatMap(({ flag, needs }) => [
      [flag, false],
      [needs, now[needs] !== true],
    ]),
  ),
});
