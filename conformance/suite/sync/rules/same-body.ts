/** interface: POST execute/sync. It takes the body of POST execute, and each call starts an execution. */

import { isProbe } from '../../../engine/outcome/mark.js';
import { notAccepted } from '../../../engine/outcome/outcome.js';
import { accepted, type Fields, isMeantToPass, refused, requestBody, startedId } from '../../../engine/outcome/read.js';
import { saysTheSame } from '../../../engine/outcome/when.js';
import { combined, satisfied } from '../../../engine/rule/findings.js';
import { equal, sameId, withEarlier } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges } from '../../../engine/vocabulary.js';
import { freeFields, roomField } from '../../executions/view.js';
import { startsAtOnce } from '../../operations.js';
import {
  mayLackFile,
  refusedTogether,
  requestedOptions,
  requestFieldsWithout,
  startedTwice,
  wasAccepted,
} from '../../starts/asked.js';
import { isSync, waitsAsOthers } from '../view.js';

export const sameBody = {
  /**
   * Judges a call that asks for more than a wait. Passes if it is accepted; fails if it is refused, though an
   * asynchronous start that asks for the same is accepted.
   */
  'sync-takes-the-same-body': combined(
    {
      exchange(exchange) {
        const taken = isSync(exchange) && accepted(exchange) && !isProbe(exchange);
        return taken && Object.keys(requestedOptions(exchange)).length > 0 ? satisfied(exchange) : undefined;
      },
    },
    {
      run: ({ exchanges }) =>
        exchanges
          .filter((call) => isSync(call) && isMeantToPass(call) && refused(call))
          .flatMap((call) => otherBody(call, exchanges) ?? []),
    },
    { run: ({ exchanges }) => refusedTogether('executeSync', exchanges) },
  ),

  /** Judges two equal calls. Passes if each has its own execution; fails if any two starts share one. */
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

/** The options without the wait for room. */
const unhurried = (start: Exchange): Fields =>
  requestFieldsWithout(start, 'timeoutSeconds', roomField, ...Object.values(freeFields));

/** Finds a refusal that is due to the call: the asynchronous start accepts the same, and other calls wait as long. */
function otherBody(call: Exchange, exchanges: readonly Exchange[]): Finding | undefined {
  const fields = Object.keys(requestedOptions(call));
  if (fields.length === 0 || mayLackFile(call, exchanges)) return undefined;
  const ours = exchanges.filter(isMeantToPass);
  const calls = ours.filter(isSync);
  // What calls without these fields are refused for as well is not about them.
  const isRefusedWithout = (other: Exchange) => Object.keys(requestedOptions(other)).length === 0 && refused(other);
  if (calls.some((other) => isRefusedWithout(other) && saysTheSame(other, call))) return undefined;
  const alone = (field: string) => calls.some((other) => Object.keys(requestedOptions(other)).join() === field);
  // If a combination was refused, its fields were asked for one by one: these are judged instead.
  if (fields.length > 1 && fields.every(alone)) return undefined;
  const control = ours.find(
    (other) =>
      startsAtOnce(other) &&
      accepted(other) &&
      other.resource === call.resource &&
      equal(unhurried(other), unhurried(call)) &&
      fields.every((field) => field in requestedOptions(other)),
  );
  const taken = exchanges.filter(accepted);
  const isLasting = fields.every((field) => wasAccepted(field, requestedOptions(call)[field], taken));
  const peer = isLasting && waitsAsOthers(call, calls) && control;
  return notAccepted(call, peer, `${fields.join(', ')} taken, as the asynchronous start does`);
}
