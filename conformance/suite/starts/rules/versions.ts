/** interface: POST execute, version and head. */

import { accepted, isMeantToPass, requestBody } from '../../../engine/outcome/read.js';
import { notAccepted, satisfied } from '../../../engine/rule/findings.js';
import type { Exchange, Judges } from '../../../engine/vocabulary.js';
import { asksOnlyAccepted } from '../asked.js';

/** The version that a start asks for, in words. */
function selection(start: Exchange): string | undefined {
  const { head, version } = requestBody(start) ?? {};
  if (head === true) return version === undefined ? 'the head' : undefined;
  return Number.isInteger(version) ? `version ${version}` : undefined;
}

export const versions = {
  /** Seen: a start of a version or the head. Satisfied if it is accepted, violated if refused for that alone. */
  'version-and-head-are-accepted': {
    exchange(exchange) {
      const taken = exchange.operation === 'execute' && accepted(exchange) && !exchange.mark?.probe;
      return taken && selection(exchange) ? satisfied(exchange) : undefined;
    },
    run({ exchanges }) {
      const meant = exchanges.filter((one) => one.operation === 'execute' && isMeantToPass(one));
      return meant
        .filter((start) => selection(start) && !accepted(start))
        .filter((start) => !meant.some((other) => accepted(other) && selection(other) === selection(start)))
        .map((start) => {
          const peer =
            asksOnlyAccepted(start, ['version', 'head'], meant) &&
            meant.find((other) => accepted(other) && other.resource === start.resource);
          return notAccepted(start, peer, `a start of ${selection(start)} accepted, as others of the workflow are`);
        });
    },
  },
} satisfies Judges;
