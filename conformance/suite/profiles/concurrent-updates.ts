/** Updates that are sent at the same time. */

import { allOrThrow } from '../driver.js';
import type { Editor } from './editor.js';
import { plainCookie, plainData } from './plain-items.js';
import { oneFlag } from './settings.js';

/** A service may let only one update at a time through. */
const mayBeRefused = { unjudged: true, withoutSpacing: true } as const;

/** Updates different parts of one copy at the same time, then the same lists. */
export async function updateTogether(copy: Editor): Promise<void> {
  const { driver, now } = copy;
  const name = `conformance-${driver.uniqueText('together')}`;
  const added = (name: string) => ({
    cookie: { cookiesToAdd: [plainCookie(name, 'crumbs')] },
    credential: { credentialsToAdd: [{ name, data: plainData(driver, 'added-at-the-same-time') }] },
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
export async function nameTogether(one: Editor, other: Editor): Promise<void> {
  const name = `conformance-${one.driver.uniqueText('alike')}`;
  await allOrThrow([one, other].map((each) => each.update('together-name', { name }, mayBeRefused)));
  // If each still has the name after the other was seen with it, both have it.
  for (const each of [one, other, one]) await each.update('together-name-kept', each.noop);
}
