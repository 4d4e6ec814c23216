/** interface: GET files. Files are tracked during the execution. */

import { type Fields, isMeantToPass } from '../../../engine/outcome/read.js';
import { endReading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, precedes, stuckAfterMs } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { instant } from '../../../engine/rule/values.js';
import { answerText } from '../../../engine/rule/words.js';
import type { Exchange, Judges } from '../../../engine/vocabulary.js';
import { filesOf, listing, mayBeOf } from '../view.js';

/** Whether a file changed after the execution began. A shared file may carry the id of its first writer. */
function isWritten({ updatedAt }: Fields, all: readonly Exchange[]): boolean {
  const [at, begun] = [updatedAt, readings(all)[0]?.execution.createdAt].map(instant);
  return at !== undefined && begun !== undefined && at >= begun;
}

export const appear = {
  /**
   * Seen: listings after the end of the workflow that writes files. Satisfied if one has a file that belongs to no
   * other execution; violated if none has for many times as long as the run: files are tracked while it goes on.
   */
  'files-appear': {
    trace(trace, { workflows }) {
      const { start, executionId, readings: all, listings } = trace;
      if (!start || start.resource !== workflows.writesFiles) return undefined;
      const end = endReading(trace)?.exchange;
      const asked = listings.filter((one) => end && precedes(end, one));
      const last = asked.at(-1);
      if (!end || !last) return undefined;
      const full = asked.find((one) => filesOf(one).some((file) => mayBeOf(executionId, file) || isWritten(file, all)));
      if (full) return satisfied(full);
      if (!isMeantToPass(start)) return undefined;
      if (!listing(last)) return inconclusive(last, `The listing was answered ${answerText(last)}.`);
      return answeredAt(last) - answeredAt(end) >= stuckAfterMs(answeredAt(end) - start.at)
        ? violated([last, end], 'a file listed, if not while it runs, then after the end', 'none')
        : inconclusive(last, 'The files were not listed for long enough after the end.');
    },
  },
} satisfies Judges;
