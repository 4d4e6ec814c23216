/** interface: PATCH agent-profiles. What an update does not ask for stays as it is, and after a refused one everything. */

import { refusedForKey } from '../../../engine/outcome/read.js';
import { combined, inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { jsonText } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges } from '../../../engine/vocabulary.js';
import { afterOverlaps } from '../overlaps.js';
import { differingUnnamed, mayChangeProxy } from '../settings.js';
import { noEffectOfRefused, type Update } from '../update.js';
import { eachUpdate } from '../view.js';

export const partial = {
  /** Judges two updates in a row. Passes if nothing changed between them but what was sent; fails by the first thing that did. */
  'update-is-partial': combined(eachUpdate(unrequested), { profile: (history) => afterOverlaps(history, false) }),

  /** Judges the profile before and after a refused update. Passes if nothing of the update shows, else fails. */
  'update-is-atomic': noEffectOfRefused((refusal) => !refusedForKey(refusal)),
} satisfies Judges;

/** A setting that the contract does not name, recognised by its value, lost though nothing sent may concern it. */
const lostUnnamed = ({ sent: asked, before, profile }: Update): string | undefined =>
  before && !mayChangeProxy(asked) ? differingUnnamed(before.profile, profile) : undefined;

function unrequested(update: Update): Finding | undefined {
  const { exchange, before, profile } = update;
  if (!before) return undefined;
  const change = update.changes.find(({ cause }) => cause === 'update');
  if (change) return changed(change.exchanges, change.setting, change.from, change.to);
  const both = [exchange, before.exchange];
  const unknown = update.changes.find(({ cause }) => cause === 'unknown');
  if (unknown)
    return inconclusive(
      exchange,
      `${unknown.setting} shows a value that this run did not send: another client may have changed the profile ${exchange.resource}.`,
    );
  const unnamed = lostUnnamed(update);
  return unnamed === undefined ? satisfied(both) : changed(both, unnamed, before.profile[unnamed], profile[unnamed]);
}

const changed = (exchanges: readonly Exchange[], setting: string, from: unknown, to: unknown): Finding =>
  violated(exchanges, `${setting} ${jsonText(from)} unchanged, because the request does not send it`, jsonText(to));
