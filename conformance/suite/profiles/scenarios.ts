import { type CouplingRule, couplings } from '../../../generated/flags.js';
import {
  besideOthers,
  changeInUse,
  copyOf,
  copyOfDeclared,
  copySteps,
  elsewhere,
  emptyLists,
  fill,
  fillWithHardValues,
  leaveMadeUp,
  nameAbroad,
  nameAsBefore,
  tune,
} from '../copies/scenarios.js';
import { changeTogether, getNamesBack, scratchProfiles } from '../copies/scratch.js';
import { allOrThrow, type Scenario } from '../driver.js';
import type { Editor } from './editor.js';
import { firstItems, flags, lists, plainCookie, plainData, settings } from './profile-lists.js';
import { refusedUpdates } from './refused-updates.js';
import { oneFlag } from './settings.js';

// Updates that are sent at the same time.

/** A service may let only one update at a time through. */
const mayBeRefused = { unjudged: true, withoutSpacing: true } as const;

/** Updates different parts of one copy at the same time, then the same lists. */
async function updateTogether(copy: Editor): Promise<void> {
  const { driver, now } = copy;
  const name = `conformance-${driver.uniqueText('together')}`;
  const added = (name: string) => ({
    cookie: { cookiesToAdd: [plainCookie(name, 'crumbs')] },
    credential: { credentialsToAdd: [{ name, data: plainData('added-at-the-same-time') }] },
  });
  const { cookie, credential } = added(`${name}-beside`);
  const updates = {
    description: { description: copy.described('Updated in several ways at the same time.'), ...cookie },
    flag: { ...oneFlag((flag) => now[flag] !== true), ...credential },
    ...added(name),
  };
  await allOrThrow(Object.entries(updates).map(([part, body]) => copy.update(`together-${part}`, body, mayBeRefused)));
  await copy.update('together-kept', copy.noop);
}

/** Names two profiles alike at the same time. */
async function nameTogether(one: Editor, other: Editor): Promise<void> {
  const name = `conformance-${one.driver.uniqueText('alike')}`;
  await allOrThrow([one, other].map((each) => each.update('together-name', { name }, mayBeRefused)));
  // If each still has the name after the other was seen with it, both have it.
  for (const each of [one, other, one]) await each.update('together-name-kept', each.noop);
}

const couplingRules: readonly CouplingRule[] = couplings.map(({ rule }) => rule);

/**
 * Duplicates the profile, and updates copies: none of its requests changes the profile itself. What is tried on one copy
 * does not depend on another, so it is sent side by side.
 */
export const profile = {
  id: 'profile',
  sends: ['duplicateProfile', 'updateProfile', 'execute', 'getExecution'],
  requests: 230,
  effect: 'write',
  needs: ['profile|scratchProfile'],
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
    'needed-off-under': [],
    atomic: ['update-is-atomic', 'profile-name-length'],
    'unknown-updated open-* coupled-alone coupled-without': ['update-is-atomic'],
    'coupled-* needed-*': [...couplingRules, 'update-is-partial'],
    'cookies-added': ['cookies-are-added'],
    'cookies-hard': ['cookies-are-added', 'cookie-expiry-is-shown'],
    'cookie-deleted': ['cookies-are-deleted'],
    'credentials-added credentials-hard together-credential': ['credentials-are-added'],
    'credential-updated hard-values-changed': ['credentials-update-ignores-case'],
    'credential-deleted': ['credentials-are-deleted'],
    'together-cookie': ['cookies-are-added'],
    'added-again many-added filled* hard-values': ['cookies-are-added', 'credentials-are-added'],
    'many-deleted made-up-left': ['cookies-are-deleted', 'credentials-are-deleted'],
    mixed: ['cookies-are-added', 'cookies-are-deleted', 'credentials-are-added', 'credentials-are-deleted'],
    'unknown-deleted': ['update-is-atomic', 'cookies-are-deleted'],
    'after-*': ['update-is-atomic', 'key-refusal-does-nothing'],
    'look tidied': [],
    '*': [
      'update-applies',
      'update-is-partial',
      'update-keeps-identity',
      'proxy-password-is-hidden',
      'inbox-default-prefix',
      'unknown-profile-is-404',
    ],
  },
  async run(driver): Promise<void> {
    const { work, spares } = await scratchProfiles(driver);
    await work.update('description', { description: work.described('Changed.') });
    await fillWithHardValues(work);
    await firstItems(work);
    await fill(work);
    const copy = await copyOf(work);
    if (copy) await besideOthers(work, copy);
    const other = await copyOfDeclared(work);
    // Profiles that change together show more if one of them alone is changed.
    const second = changeTogether(driver.evidence.profiles) ? undefined : (copy ?? spares[0]);
    if (!second) await flagsAndSettings(work);
    await allOrThrow([onFirst(work), onOthers(second, other ?? spares[1], work)]);
    if (second) await nameTogether(work, second);
    await nameAsBefore(work);
    if (driver.copies.wereTooMany) throw driver.budget.noMoreCopies;
  },
} as const satisfies Scenario;

async function onFirst(work: Editor): Promise<void> {
  await leaveMadeUp(work);
  await lists(work);
  await refusedUpdates(work);
  const abroad = await elsewhere(work);
  await updateTogether(work);
  await tune(work);
  await nameAbroad(work, abroad);
  await emptyLists(work);
}

async function onOthers(second: Editor | undefined, other: Editor | undefined, work: Editor): Promise<void> {
  if (second) await (other ? getNamesBack(other, second) : getNamesBack(second, work));
  await allOrThrow([second && (other ? settings(second) : flagsAndSettings(second)), other && flagsInUse(other)]);
}

async function flagsAndSettings(one: Editor): Promise<void> {
  await flags(one);
  await settings(one);
}

async function flagsInUse(other: Editor): Promise<void> {
  await flags(other);
  await changeInUse(other);
}
