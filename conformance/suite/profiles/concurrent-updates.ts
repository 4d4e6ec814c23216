/** Updates that are sent at the same time. */

import { accepted, refused } from '../../engine/outcome/read.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { describedAs } from '../copies/earlier.js';
import { allOrThrow, type Driver } from '../driver.js';
import type { Editor } from './editor.js';
import { plainCookie, plainData } from './plain-items.js';
import { oneFlag } from './restorable.js';

/** A service may let only one update at a time through. */
const mayBeRefused = { unjudged: true, withoutSpacing: true } as const;

/** Sends two requests at the same time. A service may let only one through: the other is then sent again. */
export async function sendConcurrently(
  driver: Driver,
  one: RequestSpec,
  other: RequestSpec,
): Promise<[Exchange, Exchange]> {
  const send = (ask: RequestSpec) => driver.send({ ...ask, withoutSpacing: true });
  const heard = await allOrThrow([send(one), send(other)]);
  const again = async (exchange: Exchange, ask: RequestSpec) => {
    if (!refused(exchange) || !heard.some(accepted)) return exchange;
    driver.markUnjudged(exchange);
    return driver.send(ask);
  };
  return [await again(heard[0], one), await again(heard[1], other)];
}

/** Updates different parts of one copy at the same time, then the same lists, and then names two copies alike. */
export async function updateConcurrently(copy: Editor, other: Editor | undefined): Promise<void> {
  const { driver, now } = copy;
  const name = `conformance-${driver.uniqueText('together')}`;
  const added = (name: string) => ({
    cookie: { cookiesToAdd: [plainCookie(name, 'crumbs')] },
    credential: { credentialsToAdd: [{ name, data: plainData(driver, 'added-at-the-same-time') }] },
  });
  const { cookie, credential } = added(`${name}-beside`);
  const updates = {
    description: { description: describedAs('updated in several ways at the same time.'), ...cookie },
    flag: { ...oneFlag((flag) => now[flag] !== true), ...credential },
    ...added(name),
  };
  await allOrThrow(Object.entries(updates).map(([part, body]) => copy.update(`together-${part}`, body, mayBeRefused)));
  await copy.update('together-kept', copy.noop);
  if (!other) return;
  await allOrThrow([copy, other].map((one) => one.update('together-name', { name }, mayBeRefused)));
  // If each still has the name after the other was seen with it, both have it.
  for (const one of [copy, other, copy]) await one.update('together-name-kept', one.noop);
}
