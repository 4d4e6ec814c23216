/** interface: POST execute/sync. The call is not idempotent. */

import { requestBody, startedId } from '../../../engine/outcome/read.js';
import { satisfied } from '../../../engine/rule/findings.js';
import { withEarlier } from '../../../engine/rule/pairs.js';
import { startedTwice } from '../../../engine/rule/started-twice.js';
import { equal, sameId } from '../../../engine/rule/values.js';
import type { Judges } from '../../../engine/vocabulary.js';
import { isSync } from '../view.js';

export const repeated = {
  /** Seen: two equal calls. Satisfied if each has its own execution; violated if any two starts share one. */
  'sync-is-not-idempotent': {
    trace: (trace) => startedTwice(trace, isSync, 'an execution for each call'),
    run({ exchanges }) {
      const calls = exchanges.filter((one) => isSync(one) && startedId(one) !== undefined);
      return withEarlier(calls, (a, b) => a.resource === b.resource && equal(requestBody(a), requestBody(b)))
        .filter(([call, earlier]) => !sameId(startedId(earlier), startedId(call)))
        .map(satisfied);
    },
  },
} satisfies Judges;
