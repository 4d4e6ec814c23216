/** interface: Execution, inputs and metadata. What a start was given, as its execution shows it. */

import { isFields } from '../../../engine/outcome/read.js';
import { howAltered } from '../../../engine/rule/altered.js';
import { sameButMasked } from '../../../engine/rule/masked.js';
import { valueOfName } from '../../../engine/rule/values.js';
import { jsonText, shorten } from '../../../engine/rule/words.js';
import type { Judges } from '../../../engine/vocabulary.js';
import { agreement, presence, type RecordedValue } from '../recorded.js';

/** `isAll`: pairs that were not given must not be shown. */
const pairs = (name: 'inputs' | 'metadata', given: RecordedValue['given'], isAll = false): RecordedValue => ({
  name,
  given,
  of: (execution) => execution[name],
  differing(back, value) {
    const [other] = othersIn(back, value);
    if (isAll && other && pairsAreThere(back, value) && pairsAgree(back, value) !== false)
      return {
        required: `no ${name} that its start did not give`,
        seen: `${shorten(other[0], 40)}: ${jsonText(other[1])}`,
      };
    const wrong = pairsOf(value).find(([key, one]) => isFields(back) && !sameButMasked(valueOfName(back, key), one));
    if (!wrong || !isFields(back)) return undefined;
    const { required, seen } = howAltered(`${name}.${shorten(wrong[0], 40)}`, wrong[1], valueOfName(back, wrong[0]));
    return { required: `${required}, as given at the start`, seen };
  },
});

const filled = (value: unknown) => (isFields(value) && Object.keys(value).length > 0 ? value : undefined);
const inputs = pairs('inputs', (body) => filled(body.inputs));
const metadata = pairs('metadata', (body) => filled(body.metadata));
/** All metadata of a start, also if there is none. A start without a readable body is not judged. */
const attached = pairs('metadata', (body) => (Object.keys(body).length > 0 ? (body.metadata ?? {}) : undefined), true);

const pairsOf = (value: unknown) => Object.entries(isFields(value) ? value : {});

/** Whether those of the given pairs that are shown have the given values. */
const pairsAgree = (pairs: unknown, value: unknown): boolean | undefined => {
  if (!isFields(pairs)) return false;
  const both = pairsOf(value).filter(([name]) => valueOfName(pairs, name) !== undefined);
  return both.length > 0 ? both.every(([name, one]) => sameButMasked(valueOfName(pairs, name), one)) : undefined;
};

const pairsAreThere = (pairs: unknown, value: unknown): boolean =>
  isFields(pairs) && pairsOf(value).every(([name, one]) => one === null || valueOfName(pairs, name) !== undefined);

/** Pairs that were not given. */
const othersIn = (pairs: unknown, value: unknown) =>
  pairsOf(pairs).filter(([name, one]) => one !== null && valueOfName(isFields(value) ? value : {}, name) === undefined);

export const givenPairs = {
  'inputs-are-recorded': agreement(inputs, pairsAgree),

  'inputs-are-shown': presence(inputs, pairsAreThere),

  'metadata-is-recorded': agreement(
    attached,
    pairsAgree,
    (pairs, value) => pairsAreThere(pairs, value) && othersIn(pairs, value).length === 0,
  ),

  'metadata-is-shown': presence(metadata, isFields, { inQueue: true }),
} satisfies Judges;
