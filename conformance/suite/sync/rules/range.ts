/** interface: Limits, timeoutSeconds. */

import { accepted, requestBody } from '../../../engine/outcome/read.js';
import { acceptedFinding, type Bound, bounded } from '../../../engine/rule/probes.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Exchange, Judges } from '../../../engine/vocabulary.js';
import { areFilledElsewhere } from '../../starts/asked.js';
import { isSync, longestWaitSeconds } from '../view.js';

/** What a start asks for, apart from its wait and its marker. */
const wish = (exchange: Exchange): string => {
  const { timeoutSeconds, inputs, metadata, ...rest } = requestBody(exchange) ?? {};
  return JSON.stringify([exchange.resource, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);
};

const seconds = (exchange: Exchange) => requestBody(exchange)?.timeoutSeconds;

const isBetween = (value: unknown) =>
  Number.isInteger(value) && Number(value) > 1 && Number(value) < longestWaitSeconds;

/**
 * The bounds, and waits between them that were refused. The wait is the reason if the same start is accepted without
 * it, and other waits are accepted.
 */
function waits(ours: readonly Exchange[]): Bound[] {
  const bound = (value: number): Bound => {
    const others = ours.filter((one) => accepted(one) && seconds(one) !== value);
    return {
      value: `timeoutSeconds ${value}`,
      tries: ours.filter((one) => isSync(one) && seconds(one) === value),
      beside: (refused) =>
        others.some(isSync) && areFilledElsewhere(refused, others)
          ? others.find((one) => wish(one) === wish(refused))
          : undefined,
    };
  };
  const between = ours.flatMap((one) => (isSync(one) && isBetween(seconds(one)) ? [Number(seconds(one))] : []));
  const isRefused = (value: Bound) => acceptedFinding(value).some(({ kind }) => kind === 'violated');
  return [bound(1), bound(longestWaitSeconds), ...[...new Set(between)].map(bound).filter(isRefused)];
}

export const waitRange = {
  'sync-timeout-range': bounded(
    'sync-timeout-range',
    (exchange) => {
      const value = seconds(exchange);
      return typeof value === 'number' && (value < 1 || value > longestWaitSeconds)
        ? `timeoutSeconds ${jsonText(value)}`
        : undefined;
    },
    waits,
  ),
} satisfies Judges;
