import type { Exchange } from '../vocabulary.js';
import { isPage, isTurnedAway } from './lost.js';

/** Remarks on a key that was good, and was refused now and then: limits say so, and instances that do not know it. */
export function turnedAway(exchanges: readonly Exchange[]): string[] {
  const [first, ...more] = exchanges.filter(
    (one) => one.mark?.credential === 'primary' && one.mark.superseded && isTurnedAway(one) && !isPage(one),
  );
  if (!first) return [];
  const requests = more.length === 0 ? 'One request' : `${more.length + 1} requests`;
  return [
    `${requests} with the full key got ${first.response?.status} (the first is #${first.id}), and another answer when sent again. This is a limit, or an instance that does not know the key.`,
  ];
}
