/** Finds refused starts that take a place in their group nevertheless. */

import { accepted, isClientError, isStart } from '../../engine/outcome/read.js';
import { saysTheSame } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { asText } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Finding } from '../../engine/vocabulary.js';
import { groupOf } from '../executions/view.js';

/** The reasons for which starts are refused. */
export const refusalReasons = { keys: 'their keys', bodies: 'their bodies', room: 'lack of capacity' } as const;
export type RefusalReason = keyof typeof refusalReasons;
/** Beginnings of step names: a start right after refused ones, and the same start with none before it. */
export const stepAfter = (kind: RefusalReason) => `after-${kind}-` as const;
export const stepBeside = (kind: RefusalReason) => `beside-${kind}-` as const;

/** After so many rounds it is hardly other clients that take the places, not even a run of the suite in step with this one. */
export const enoughRounds = 5;

/** Whether all probes in question between two requests were refused, and there was one at least. */
export function onlyRefused(
  from: Exchange,
  to: Exchange,
  all: readonly Exchange[],
  isMeant: (other: Exchange) => boolean,
  isRefused: (other: Exchange) => boolean,
): boolean {
  const others = all.filter((one) => one.id > from.id && one.id < to.id && one.mark?.probe && isMeant(one));
  return others.length > 0 && others.every(isRefused);
}

/** A start that asks for the same group. Others take no place in it. */
const asksForGroupOf =
  (start: Exchange) =>
  (other: Exchange): boolean =>
    isStart(other) && asText(groupOf(other)) === asText(groupOf(start));

/** Whether a start was refused as one at full capacity was. */
export const saysFull = (exchanges: readonly Exchange[], start: Exchange): boolean =>
  isClientError(start) &&
  exchanges.some((one) => one.mark?.probe?.rule === 'over-capacity-is-rejected' && saysTheSame(one, start));

/** Violated if starts for a group are always refused right after refused ones, and always accepted without these. */
export function placesTaken(
  { exchanges }: Evidence,
  kind: RefusalReason,
  is: (refusal: Exchange) => boolean,
): Finding | undefined {
  const at = (steps: string) => exchanges.filter(({ mark }) => !mark?.excluded && (mark?.step ?? '').startsWith(steps));
  const [after, beside] = [at(stepAfter(kind)), at(stepBeside(kind))];
  // A refusal may also be a rate limit. It counts only if it says the same as one at full capacity, and nothing else does.
  const isOfPace = (one: Exchange) => exchanges.some((other) => !isStart(other) && saysTheSame(other, one));
  const isFull = (one: Exchange) => saysFull(exchanges, one) && !isOfPace(one);
  const isAlways =
    beside.every(accepted) &&
    after.every((one, round) => {
      const twin = beside[round];
      return isFull(one) && twin !== undefined && onlyRefused(twin, one, exchanges, asksForGroupOf(one), is);
    });
  const [first, other] = [after[0], beside[0]];
  return first && other && isAlways && after.length >= enoughRounds
    ? violated([first, other], `a place for a start after others that were refused for ${refusalReasons[kind]}`)
    : undefined;
}
