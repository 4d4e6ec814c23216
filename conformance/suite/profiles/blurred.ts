/** Profiles in recordings, whose recorder may have masked more than the secrets that a service may mask. */

import { memoize } from '../../engine/memoize.js';
import { answerBody, type Fields, requestBody } from '../../engine/outcome/read.js';
import { isMasked } from '../../engine/rule/masked.js';
import { equal, listOf } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** The texts of a profile that no service masks. */
const open = ({ name, description, inboxEmail, inboxEmailPrefix, cookies, credentials }: Fields): Fields[] => [
  { name, description, inboxEmail, inboxEmailPrefix },
  ...listOf(cookies).map(({ value: _, ...cookie }) => cookie),
  ...listOf(credentials).map((credential) => ({ name: credential.name })),
];

/** Whether a recorder has masked what an answer shows of a profile. A run sees what was sent. */
export const isBlurred = memoize((exchange: Exchange): boolean => {
  const sent = requestBody(exchange) ?? {};
  const isHere = ([field, shown]: [string, unknown]) => isMasked(shown) && !equal(shown, sent[field]);
  return (
    exchange.mark === undefined && open(answerBody(exchange) ?? {}).some((one) => Object.entries(one).some(isHere))
  );
});
