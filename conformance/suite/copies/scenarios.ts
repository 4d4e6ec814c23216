/** Duplicates the profile, and tries on copies what could not be undone on the profile. */

import { couplings, plainFlags, words } from '../../../generated/flags.js';
import type { RuleId } from '../../../generated/rules.js';
import { accepted, type Fields, isClientError, refused, startedId, status } from '../../engine/outcome/read.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import { idsOf, listOf, sameId } from '../../engine/rule/values.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver, Steps } from '../driver.js';
import { sendConcurrently, updateConcurrently } from '../profiles/concurrent-updates.js';
import type { Editor, Update } from '../profiles/editor.js';
import { isItemOfSuite, knownExpiry, neverKept, plainCookie, plainData } from '../profiles/plain-items.js';
import { oneFlag } from '../profiles/restorable.js';
import { coupledFlags } from '../profiles/settings.js';
import { lengthStep, textBounds } from '../profiles/text-bounds.js';
import { marked } from '../starts/requests.js';
import { describedAs, earlierCopies, emptied } from './earlier.js';
import { getNamesBack } from './name-back.js';
import { editorOf } from './workpiece.js';

/** Which rules each step is sent for; the first name that matches counts. */
export const copySteps = {
  'copy-name-400': ['profile-name-length'],
  'copy-description-1500': ['profile-description-length'],
  'copy-name-taken': ['profile-name-is-unique', 'update-is-atomic'],
  'copy-named-back-later': ['update-applies'],
  'copy-abroad-name-taken': ['profile-name-is-unique'],
  'copy-abroad-named duplicate-abroad': [],
  'copy-coupled': ['update-is-atomic'],
  'copy-cookies-emptied': ['cookies-are-deleted'],
  'copy-first-credential': ['credentials-are-added'],
  'copy-first-changed': ['credentials-update-ignores-case'],
  'copy-emptied*': ['credentials-are-deleted'],
  'copy-prefix copy-prefix-digits': ['inbox-custom-prefix'],
  'duplicate-nowhere': ['duplicate-into-unknown-organization'],
  'duplicate-*elsewhere*': ['duplicate-into-organization'],
  'duplicate-copy': ['duplicate-is-new', 'duplicate-into-organization'],
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

/** How many more cookies and credentials the profile has when it is copied for the last time. */
const many = 50;

/**
 * Duplicates the profile while it holds the suite's cookies and credentials. Then changes the copy and reads the
 * source, and changes the source and reads the copies: neither may follow the other.
 */
export async function duplicates(editor: Editor): Promise<void> {
  const { driver, id } = editor;
  const copying = (step: string, source: string, body?: Fields): RequestSpec => ({
    step,
    operation: 'duplicateProfile',
    id: source,
    ...(body && { body }),
    observes: ['duplicate-inbox-prefix'],
  });
  let isSpent = false;
  /** Sends a duplication, as long as the budget has one left. */
  const duplicate = async (step: string, source: string, body?: Fields, more: Partial<RequestSpec> = {}) => {
    isSpent ||= driver.budget.copiesLeft <= 0;
    return isSpent ? undefined : driver.send({ ...copying(step, source, body), ...more });
  };
  // Sent first, while the budget has a copy left, in case a service makes one. A correct service makes none.
  if (driver.budget.copiesLeft > 0)
    await driver.probe(
      'duplicate-into-unknown-organization',
      'an organization that does not exist',
      ['profile/duplicate', 'profile/duplicate-empty'],
      { step: 'duplicate-nowhere', operation: 'duplicateProfile', id, body: { organizationId: driver.unknownId() } },
    );
  // Two at the same time: their names must be unique even if neither is made before the other.
  const { otherOrganization } = driver.facts;
  // One copy is kept for the other organization, which shows more than a second one here.
  const room = () => driver.budget.copiesLeft - (otherOrganization === undefined ? 0 : 1);
  const [bare, second] =
    room() > 1
      ? await sendConcurrently(driver, copying('duplicate', id), copying('duplicate-empty', id, {}))
      : [await duplicate('duplicate', id), room() > 0 ? await duplicate('duplicate-empty', id, {}) : undefined];
  await editor.update('source-after-first', editor.noop);
  // With each flag inverted, since a flag that is lost may look like one that is off; and with the latest items.
  const last = `conformance-${driver.uniqueText('last')}`;
  const added = (names: readonly string[]): Fields => ({
    ...turned(editor),
    cookiesToAdd: names.map((name) => plainCookie(name, 'the-last')),
    credentialsToAdd: names.map((name) => ({ name, data: plainData(driver, 'the-last') })),
  });
  // It is not shown how many items a profile may have; a copy must have as many.
  const more = Array.from({ length: many }, (_, n) => `${last}-${n + 1}`);
  await editor.updateOr('flags-turned', added([...more, last]), added([last]));
  const elsewhere =
    otherOrganization === undefined
      ? undefined
      : await duplicate('duplicate-elsewhere', id, { organizationId: otherOrganization });
  // With the flags inverted again, the next copy shows flags that are lost while on, or wrongly turned on.
  if (elsewhere && accepted(elsewhere) && driver.budget.copiesLeft > 1)
    await editor.update('flags-turned-again', {
      ...turned(editor),
      // Flags that need another one, together with that one: they are consistent.
      ...Object.fromEntries(coupledFlags.map((flag) => [flag, true])),
      description: 'Changed again by the conformance suite, and put back.',
    });
  // The first copy may have its source's name there. Whether the second gets another or is refused is not shown.
  const elsewhereToo =
    elsewhere && accepted(elsewhere) && driver.budget.copiesLeft > 1
      ? await duplicate('duplicate-elsewhere-too', id, { organizationId: otherOrganization }, { unjudged: true })
      : undefined;
  await editor.update('source-after-duplicating', editor.noop);
  if ([bare, second].every((one) => one && refused(one)) && typeof editor.now.organizationId === 'string')
    await duplicate('duplicate-home', id, { organizationId: editor.now.organizationId });
  const made = [bare, second].flatMap((exchange) => editorOf(editor, exchange) ?? []);
  const [copy, sibling] = [...made, ...(isSpent ? await earlierCopies(editor, 2 - made.length) : [])];
  if (made.length > 1) await getNamesBack(editor, made);
  const [abroad, abroadToo] = [elsewhere, elsewhereToo].map((exchange) => editorOf(editor, exchange));
  if (copy) await compared(editor, copy, { sibling, abroad, abroadToo }, duplicate);
  // Read before any other request, to see what its copies changed on it.
  await editor.update('source-at-last', editor.noop);
  if (isSpent) throw driver.budget.noMoreCopies;
}

/** Tests whether copy and source change with each other, and then what can only be tried on a copy. */
async function compared(
  editor: Editor,
  copy: Editor,
  { sibling, abroad, abroadToo }: Readonly<Record<'sibling' | 'abroad' | 'abroadToo', Editor | undefined>>,
  duplicate: (
    step: string,
    source: string,
    body?: Fields,
    more?: Partial<RequestSpec>,
  ) => Promise<Exchange | undefined>,
): Promise<void> {
  await change(copy, 'copy-updated', describedAs('updated.'), { extensionIds: [] });
  await editor.update('source-unchanged', editor.noop);
  await change(editor, 'source-updated', 'Changed by the conformance suite, and put back.');
  await copy.update('copy-unchanged', editor.noop);
  await askForSources(copy, editor);
  await sibling?.update('other-copy-unchanged', editor.noop, { unjudged: true });
  const isOver = await changeInUse(sibling);
  await updateConcurrently(copy, sibling);
  await tuneCopy(copy, editor);
  if (abroad) await nameAbroad(copy, abroad, abroadToo);
  // By default a copy stays in the organization of its source, whichever the key belongs to.
  if (abroad) await duplicate('duplicate-abroad', abroad.id, {}, { unjudged: true });
  // A copy may be copied in turn.
  if (editor.driver.snapshots.of(editor.id))
    await copyAgain(copy, (more) => {
      const { organizationId } = copy.now;
      return duplicate('duplicate-copy', copy.id, typeof organizationId === 'string' ? { organizationId } : {}, more);
    });
  await isOver();
  await sibling?.update('copy-after-use', sibling.noop);
  await empty(copy);
  // The copy of a copy, now without secrets, into the other organization. It may need another name there.
  const { otherOrganization } = copy.driver.facts;
  if (abroad)
    await duplicate('duplicate-copy-elsewhere', copy.id, { organizationId: otherOrganization }, { unjudged: true });
}

/** A key may lack permissions in another organization. */
const denials: readonly unknown[] = [401, 403, 404];

/** Names are unique within an organization: the name of a copy here is free in the other one, for one profile. */
async function nameAbroad(copy: Editor, abroad: Editor, abroadToo: Editor | undefined): Promise<void> {
  const { driver } = copy;
  const name = nameOf(copy);
  const named = await abroad.update('copy-abroad-named', { name }, { unjudged: true });
  if (isClientError(named) && !denials.includes(status(named)))
    await abroad.update('copy-abroad-named-otherwise', { name: nameOf(abroad) }, { unjudged: true });
  if (!abroadToo || sameId(abroadToo.id, abroad.id)) return;
  const taken = await driver.probe('profile-name-is-unique', "another copy's name", ['profile/copy-abroad-named'], {
    step: 'copy-abroad-name-taken',
    operation: 'updateProfile',
    id: abroadToo.id,
    body: { name },
  });
  if (!accepted(named) || abroad.now.name !== name) driver.markUnjudged(taken);
}

/**
 * Changes a copy while an execution uses it, which a service may refuse. Resolves to a wait for the end of the
 * execution. Neither the execution nor the settings that it started with may overwrite the change.
 */
async function changeInUse(copy: Editor | undefined): Promise<() => Promise<unknown>> {
  const nothing = async () => undefined;
  if (!copy) return nothing;
  const { driver } = copy;
  const { tempFile, workflows } = driver.facts;
  const { slow } = workflows;
  if (slow === undefined || !driver.mayStart('profile/copy-in-use')) return nothing;
  const step = 'copy-in-use';
  const body = { ...marked(driver, step), profileId: copy.id, ...(tempFile && { tempFiles: [tempFile] }) };
  const ask = { step, operation: 'execute', id: slow, body } as const;
  const started = await driver.startOnce({ ...ask, unjudged: true });
  const executionId = startedId(refused(started) ? await useAlone(copy, slow) : started);
  if (executionId === undefined) return nothing;
  await driver.follow(executionId, 'running', (status) => status === 'running');
  const changed = await copy.update(
    'copy-in-use-changed',
    { description: describedAs('changed in use.') },
    { unjudged: true },
  );
  const isOver = driver.runInParallel(driver.follow(executionId, 'completed'));
  if (!accepted(changed)) await isOver;
  await copy.update('copy-in-use-kept', copy.noop);
  return () => isOver;
}

/** Starts without the temp file, which may be gone, and once every instance of the service can know the copy. */
async function useAlone({ driver, id: profileId }: Editor, workflow: string): Promise<Exchange> {
  const step = 'copy-in-use-alone';
  await driver.pause(replicaLagMs);
  const body = { ...marked(driver, step), profileId };
  return driver.startOnce({ step, operation: 'execute', id: workflow, body, unjudged: true });
}

/** Changes some of everything: settings, and items that are deleted, added and updated. */
async function change(editor: Editor, step: string, description: string, more: Fields = {}): Promise<void> {
  const { driver, now } = editor;
  const mine = (list: 'cookies' | 'credentials') => listOf(now[list]).filter(isItemOfSuite);
  const [cookie] = mine('cookies');
  const [gone, changed] = mine('credentials');
  const name = `conformance-${driver.uniqueText(step)}`;
  await editor.update(step, {
    ...more,
    description,
    ...turned(editor),
    cookiesToAdd: [plainCookie(name, `added-with-${step}`, knownExpiry(driver))],
    ...(cookie && { cookiesToDelete: idsOf([cookie]) }),
    credentialsToAdd: [{ name, data: plainData(driver, `added-with-${step}`) }],
    ...(gone && { credentialsToDelete: idsOf([gone]) }),
    ...(changed && { credentialsToUpdate: [{ name: changed.name, data: plainData(driver, `changed-with-${step}`) }] }),
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
  await source.update('source-kept', source.noop);
}

/** Changes that could not be undone on the profile itself. The copy stays behind in any case. */
async function tuneCopy(copy: Editor, source: Editor): Promise<void> {
  const { driver } = copy;
  await copy.update(
    'copy-assigned',
    {
      createdAt: '2001-01-01T00:00:00Z',
      description: describedAs('fields that the contract does not name are left alone.'),
    } as Update,
    { unjudged: true },
  );
  // Followed by changes of other settings: it must stay.
  for (const { field, word } of words) await copy.update('copy-proxy', { [field]: word });
  await setPrefix(copy, driver.uniqueText('prefix'));
  // JSON that some stores cannot hold. It may be refused or altered, but must not cause an error.
  await copy.update(
    'copy-hard-to-keep',
    { description: describedAs('half \ud800 of a pair, \u0000.') },
    { unjudged: true },
  );
  // Changes everything else: the prefix must stay.
  await change(copy, 'copy-prefix-kept', describedAs('it may be removed.'), {
    name: nameOf(copy),
  });
  // Digits alone are a valid prefix too, if it may begin with digits.
  const number = `00${digits(driver.uniqueText('digits'))}`;
  await copy.update(
    'copy-prefix-digits',
    { inboxEmailPrefix: number, description: describedAs('its inbox has another prefix.') },
    { mayBeRefused: true },
  );
  await copy.update(
    'copy-custom-proxy',
    {
      customProxy: { server: 'proxy.example.com:3128', username: 'conformance', password: 'never to be shown' },
    },
    { observes: ['custom-proxy-request'] },
  );
  // A refused update must leave all of the profile unchanged.
  if (typeof source.now.name === 'string')
    await driver.probe('profile-name-is-unique', "its source's name", ['profile/name', 'profile/everything'], {
      step: 'copy-name-taken',
      operation: 'updateProfile',
      id: copy.id,
      // Together with valid changes.
      body: {
        ...refusedBeside(driver, driver.uniqueText('taken')),
        description: describedAs('not to have the name of its source.'),
        name: source.now.name,
      },
    });
  for (const [rule, step, fault, body] of tooLong(driver))
    await driver.probe(rule, fault, ['profile/copy-updated'], { step, operation: 'updateProfile', id: copy.id, body });
  await copy.update('copy-kept', copy.noop);
  for (const { flag, needs } of couplings)
    await copy.update(
      'copy-coupled',
      { description: describedAs('one that is on without what it needs.'), [needs]: false, [flag]: true },
      { mayBeRefused: true },
    );
}

/** Items that must never appear in a list. */
const refusedBeside = (driver: Driver, name: string): Fields => ({
  cookiesToAdd: [plainCookie(name, neverKept)],
  credentialsToAdd: [{ name, data: plainData(driver, neverKept) }],
});

/** Valid prefixes are not shown: tries long ones first, down to a few letters and digits. */
async function setPrefix(copy: Editor, unique: string): Promise<void> {
  const step = 'copy-prefix';
  const long = `conformance-${unique}`;
  const exchange = await copy.updateOr(
    step,
    { inboxEmailPrefix: `${long}.with_dot+tag` },
    [{ inboxEmailPrefix: `${long}.with_dot` }, { inboxEmailPrefix: long }],
    { mayBeRefused: true },
  );
  if (!isClientError(exchange)) return;
  copy.driver.markUnjudged(exchange);
  await copy.update(step, { inboxEmailPrefix: `c${unique}` });
}

/** Duplicates a copy with the longest name that is allowed. If that fails, tries again with a shorter name. */
async function copyAgain(
  copy: Editor,
  duplicate: (more?: Partial<RequestSpec>) => Promise<Exchange | undefined>,
): Promise<void> {
  const name = nameOf(copy, 'again');
  const longest = textBounds.name.maximum;
  const long = copy.driver.material('long').text(longest, `${name} `, ['x']);
  await copy.update(`copy-${lengthStep('name', longest)}`, { name: long });
  const made = await duplicate({ mayBeRefused: true, unjudged: true });
  if (made && !accepted(made)) {
    await copy.update('copy-name', { name });
    await duplicate();
  }
  await nameAsBefore(copy);
}

/** Gives a copy back a name that it had before, which nobody else has; if that is refused, another one. */
async function nameAsBefore(copy: Editor): Promise<void> {
  const { driver } = copy;
  const name = nameOf(copy);
  const named = await copy.update('copy-after-copying', { name }, { mayBeRefused: true });
  if (!isClientError(named)) return;
  driver.markUnjudged(named);
  await driver.pause(replicaLagMs);
  const again = await copy.update('copy-named-as-before', { name }, { unjudged: true });
  if (isClientError(again))
    await copy.update('copy-named-otherwise', { name: nameOf(copy, 'otherwise') }, { unjudged: true });
}

/** Empties the lists of the copy, which stays behind and should hold no secrets; then uses the empty lists. */
async function empty(copy: Editor): Promise<void> {
  const { driver } = copy;
  const { cookiesToDelete } = emptied(driver.evidence, copy.id, copy.now);
  await copy.update('copy-cookies-emptied', { cookiesToDelete });
  await copy.update('copy-emptied', emptied(driver.evidence, copy.id, copy.now));
  const name = `conformance-${driver.uniqueText('first')}`;
  await copy.update('copy-first-credential', {
    credentialsToAdd: [{ name, data: plainData(driver, 'the-first-of-its-list') }],
  });
  const changed = (data: string) => ({ credentialsToUpdate: [{ name: name.toUpperCase(), data }] });
  await copy.updateOr('copy-first-changed', changed(''), changed(plainData(driver, 'the-first-of-its-list-changed')));
  await copy.update('copy-emptied-again', emptied(driver.evidence, copy.id, copy.now));
}

/** A name that no other copy has, not even one of a run with the same seed. */
const nameOf = ({ id }: Editor, more = ''): string => `conformance-${id}${more && `-${more}`}`;

/** Texts that are far too long, with other changes. On the source, only texts with one character too many are tried. */
const tooLong = (driver: Driver): [rule: RuleId, step: string, fault: string, body: Fields][] => [
  [
    'profile-name-length',
    'copy-name-400',
    'a name of 400 characters',
    { description: describedAs('never to be seen.'), name: driver.uniqueText('too long').padEnd(400, 'ж') },
  ],
  [
    'profile-description-length',
    'copy-description-1500',
    'a description of 1500 characters',
    { ...oneFlag(() => true), name: driver.uniqueText('not too long'), description: describedAs('').padEnd(1500, 'ж') },
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
