/** Observes what the interface leaves open about keys. */
import type { GapId } from '../../../generated/rules.js';
import { status } from '../../engine/outcome/read.js';
import { observationsOf, observed } from '../../engine/rule/observing.js';
import type { Exchange, Observer } from '../../engine/vocabulary.js';

const byOperation =
  (gap: GapId, says: (barred: boolean, status: number | undefined) => string): Observer =>
  (evidence) =>
    observed(observationsOf(evidence, gap).map((one) => `${one.operation}: ${says(isBarred(one), status(one))}`));

const isBarred = (exchange: Exchange) => [401, 403].includes(status(exchange) ?? 0);

export const keyGaps = {
  'header-names-interchangeable': byOperation('header-names-interchangeable', (barred, code) =>
    barred ? `no (${code})` : 'yes',
  ),
  'key-in-both-headers': byOperation('key-in-both-headers', (barred, code) =>
    barred ? `the wrong key (${code})` : 'the valid key',
  ),
  'auth-before-validation': byOperation('auth-before-validation', (_, code) => (code === 401 ? 'yes' : `no (${code})`)),
} satisfies { readonly [gap in GapId]?: Observer };
