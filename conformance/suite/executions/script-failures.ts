/** interface: Script failure. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Fields } from '../../engine/outcome/read.js';
import type { Reading } from '../../engine/outcome/readings.js';
import { isLongAfter, precedes } from '../../engine/outcome/when.js';
import { broken } from '../../engine/rule/findings.js';
import { listOf } from '../../engine/rule/values.js';
import { sameIn } from '../../engine/schemas.js';
import type { Finding } from '../../engine/vocabulary.js';
import { schemas } from '../schemas.js';

const sameFailure = sameIn(schemas.fieldsOf('ScriptFailure'));

const failuresOf = ({ execution }: Reading) => listOf(execution.scriptFailures);

/** A reading after the end that lacks script failures which an earlier one showed: while it runs the oldest may make room. */
export function failuresGone(all: readonly Reading[]): Finding | undefined {
  const ended = all.filter(({ status }) => isTerminal(status));
  const last = ended.at(-1);
  const most = Math.max(0, ...all.map((one) => failuresOf(one).length));
  const witnesses = [
    ended.find((one) => failuresOf(one).length > 0),
    all.find((one) => failuresOf(one).length === most),
  ].flatMap((one) => (one && failuresOf(one).length > 0 ? one : []));
  for (const witness of witnesses) {
    const lacks = (one: Reading) =>
      isTerminal(witness.status) ? lost(failuresOf(witness), failuresOf(one)) : failuresOf(one).length < most;
    const gone = ended.find(
      (one) =>
        precedes(witness.exchange, one.exchange) &&
        lacks(one) &&
        (isLongAfter(one.exchange, witness.exchange) || (last && lacks(last))),
    );
    if (gone)
      return broken(
        [gone.exchange, witness.exchange],
        `scriptFailures as before, ${failuresOf(witness).length} of them at least`,
        `${failuresOf(gone).length} of them, or others`,
      );
  }
  return undefined;
}

/** Whether one of them is not among those that are shown later; each counts once. */
function lost(were: readonly Fields[], are: readonly Fields[]): boolean {
  const left = [...are];
  return were.some((one) => {
    const place = left.findIndex((other) => sameFailure(one, other));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
