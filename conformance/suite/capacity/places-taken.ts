/** Places of a group that are taken by starts which were refused. */

import { accepted, declined, isStart } from '../../engine/outcome/read.js';
import { saysTheSame } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { asText } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Finding } from '../../engine/vocabulary.js';
import { groupOf } from '../executions/view.js';

/** What starts are refused for. */
export const kinds = { keys: 'their keys', bodies: 'their bodies', room: 'want of room' } as const;
export type Kind = keyof typeof kinds;
/** Begins the steps of starts right after those that were refused for such a thing, and of starts with none before. */
export const stepAfter = (kind: Kind) => `after-${kind}-` as const;
export const stepBeside = (kind: Kind) => `beside-${kind}-` as const;

/** Whether between two requests such others were sent that had to be refused, and each was, as `isRefused` says. */
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

/** A start that asks for the same group: what asks for others takes no place of it. */
const asksForGroupOf =
  (start: Exchange) =>
  (other: Exchange): boolean =>
    isStart(other) && asText(groupOf(other)) === asText(groupOf(start));

/** Starts of a group that are refused right after others that were refused, and taken where none were before, each time. */
export function placesTaken(
  { exchanges }: Evidence,
  kind: Kind,
  is: (refusal: Exchange) => boolean,
): Finding | undefined {
  const at = (steps: string) => exchanges.filter(({ mark }) => !mark?.retried && (mark?.step ?? '').startsWith(steps));
  const [after, beside] = [at(stepAfter(kind)), at(stepBeside(kind))];
  // Whoever asks in vain may be told to slow down: it has to be refused as one is for want of a place.
  const full = exchanges.find((one) => one.mark?.probe?.rule === 'over-capacity-is-rejected' && declined(one));
  const isFull = (one: Exchange) => full !== undefined && declined(one) && saysTheSame(one, full);
  const isAlways =
    beside.every(accepted) &&
    after.every((one, round) => {
      const twin = beside[round];
      return isFull(one) && twin !== undefined && onlyRefused(twin, one, exchanges, asksForGroupOf(one), is);
    });
  const [first, other] = [after[0], beside[0]];
  return first && other && isAlways && after.length > 1 && beside.length > 1
    ? violated([first, other], `a place for a start after others that were refused for ${kinds[kind]}`)
    : undefined;
}
