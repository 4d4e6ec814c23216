/** Updates of a profile that were sent at the same time: what they leave. */

import { plainFlags } from '../../../generated/flags.js';
import { memoize } from '../../engine/memoize.js';
import { isOfRun } from '../../engine/outcome/mark.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, type Fields, requestBody, status } from '../../engine/outcome/read.js';
import { answeredAt, precedes } from '../../engine/outcome/when.js';
import { satisfied, violated } from '../../engine/rule/findings.js';
import { has, jsonText, listOf, sameName } from '../../engine/rule/values.js';
import type { Exchange, Finding, ProfileHistory } from '../../engine/vocabulary.js';
import { updatesProfile } from '../operations.js';
import { mayChange, sameDomain, sameSetting } from './settings.js';

/** Settings that no other setting affects, and that every profile shows. */
const settings = ['name', 'description', ...plainFlags] as const;

/** Items that updates add to lists, and how to find them there again. */
const lists = [
  {
    field: 'cookiesToAdd',
    list: 'cookies',
    same: (a: Fields, b: Fields) => sameName(a.name, b.name) && sameDomain(a.domain, b.domain),
  },
  { field: 'credentialsToAdd', list: 'credentials', same: (a: Fields, b: Fields) => sameName(a.name, b.name) },
] as const;

/**
 * Judges updates that were sent at the same time: some order of them must explain the later state of the profile. Each
 * setting is judged separately, by a later reading: what an update's own answer shows of the others is not said.
 * `isOfOwn`: whether to find what an accepted update asked for, or all else.
 */
export function afterOverlaps(history: ProfileHistory, isOfOwn: boolean): Finding[] {
  return overlaps(history).flatMap((overlap): Finding | [] => {
    const { updates, after } = overlap;
    const profile = answerBody(after) ?? {};
    const lost = lostSetting(overlap, profile) ?? lostItem(overlap, profile);
    if (lost) return lost.isOwn === isOfOwn ? violated([after, lost.by], lost.expected, lost.actual) : [];
    return isOfOwn ? [] : satisfied([after, ...updates]);
  });
}

interface Lost {
  /** An update set it, and what is there instead was there before: nobody else wrote it. */
  readonly isOwn: boolean;
  readonly by: Exchange;
  readonly expected: string;
  readonly actual: string;
}

function lostSetting({ updates, before, after, next }: Overlap, profile: Fields): Lost | undefined {
  for (const setting of settings) {
    if (!has(profile, setting)) continue;
    if (next.some((update) => mayChange(requestBody(update) ?? {}, setting))) continue;
    const asking = updates.filter((update) => has(requestBody(update) ?? {}, setting));
    // update-applies judges by its own answer whether an update took effect at all.
    const isMade = (update: Exchange) =>
      sameSetting(setting, answerBody(update)?.[setting], requestBody(update)?.[setting]);
    if (!asking.every(isMade)) continue;
    const last = maybeLast(asking);
    const possible = last.map((update) => requestBody(update)?.[setting]);
    if (last.length === 0 && before && has(before, setting)) possible.push(before[setting]);
    if (possible.length === 0 || possible.some((value) => sameSetting(setting, value, profile[setting]))) continue;
    return {
      isOwn: last.length > 0 && before !== undefined && sameSetting(setting, before[setting], profile[setting]),
      by: last[0] ?? after,
      expected: `${setting} ${jsonText(possible[0])}, whatever was done at the same time`,
      actual: jsonText(profile[setting]),
    };
  }
  return undefined;
}

function lostItem({ updates, next }: Overlap, profile: Fields): Lost | undefined {
  // A deletion at the same time may be the reason.
  if ([...updates, ...next].some(({ request }) => /ToDelete"/.test(JSON.stringify(request.body)))) return undefined;
  for (const { field, list, same } of lists)
    for (const by of updates) {
      const isIn = (fields: Fields | undefined, item: Fields) => listOf(fields?.[list]).some((one) => same(one, item));
      const lost = listOf(requestBody(by)?.[field]).find((item) => isIn(answerBody(by), item) && !isIn(profile, item));
      if (lost && Array.isArray(profile[list]))
        return {
          isOwn: false,
          by,
          expected: `${jsonText(lost.name)} among ${list}, whatever was done at the same time`,
          actual: 'no such item',
        };
    }
  return undefined;
}

interface Overlap {
  /** Those that were accepted. */
  readonly updates: readonly Exchange[];
  /** The answer just before them, if there was one. */
  readonly before?: Fields;
  /** The next answer after all of them, and the updates of that time: it may show what they change. */
  readonly after: Exchange;
  readonly next: readonly Exchange[];
}

/** Groups of overlapping updates. If one has no readable answer, its group is not judged. */
const overlaps = memoize(({ exchanges }: ProfileHistory): readonly Overlap[] => {
  const groups: Exchange[][] = [];
  for (const exchange of exchanges) {
    if (!updatesProfile(exchange) || !isOfRun(exchange) || status(exchange) === 429) continue;
    const group = groups.at(-1);
    if (group?.some((one) => !precedes(one, exchange))) group.push(exchange);
    else groups.push([exchange]);
  }
  return groups.flatMap((group, place): Overlap[] => {
    const updates = group.filter(accepted);
    const next = groups[place + 1] ?? [];
    const [after] = next;
    const previous = groups[place - 1];
    const [alone] = previous ?? [];
    if (updates.length < 2 || !after || !accepted(after) || group.some(isUnknown)) return [];
    const before = previous?.length === 1 && alone && accepted(alone) ? answerBody(alone) : undefined;
    return [{ updates, after, next, ...(before && { before }) }];
  });
});

const isUnknown = (exchange: Exchange): boolean => isLost(exchange) || (status(exchange) ?? 0) >= 500;

/** The updates that may have been the last: none was sent after their answer. */
const maybeLast = (updates: readonly Exchange[]): readonly Exchange[] =>
  updates.filter((one) => !updates.some((other) => other !== one && answeredAt(one) < other.at));
