/** interface: PATCH agent-profiles. What an update does not ask for stays as it is. */

import { combined } from '../../../engine/rule/combined.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Exchange, Finding, Judges } from '../../../engine/vocabulary.js';
import { eachUpdate } from '../each-update.js';
import { afterOverlaps } from '../overlaps.js';
import { mayChangeProxy } from '../settings.js';
import { differingUnnamed } from '../unnamed-settings.js';
import type { Update } from '../update.js';

export const partial = {
  /** Seen: an update and the one before it. Satisfied if nothing else changed, violated by the first thing that did. */
  'update-is-partial': combined(eachUpdate(unasked), { profile: afterOverlaps }),
} satisfies Judges;

/** A setting that the contract does not name, recognised by its value, lost though nothing sent may concern it. */
const lostUnnamed = ({ sent: asked, before, profile }: Update): string | undefined =>
  before && !mayChangeProxy(asked) ? differingUnnamed(before.profile, profile) : undefined;

function unasked(update: Update): Finding | undefined {
  const { exchange, before, profile } = update;
  if (!before) return undefined;
  const change = update.changes.find(({ cause }) => cause === 'update');
  if (change) return changed(change.exchanges, change.setting, change.from, change.to);
  const both = [exchange, before.exchange];
  const unnamed = lostUnnamed(update);
  return unnamed === undefined ? satisfied(both) : changed(both, unnamed, before.profile[unnamed], profile[unnamed]);
}

const changed = (exchanges: readonly Exchange[], setting: string, from: unknown, to: unknown): Finding =>
  violated(exchanges, `${setting} ${jsonText(from)}, as it was not sent`, jsonText(to));
