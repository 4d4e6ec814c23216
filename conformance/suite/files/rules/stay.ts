/** interface: GET files. Files are tracked during the execution, and those listed after the end stay listed. */

import { type Fields, isMeantToPass } from '../../../engine/outcome/read.js';
import { endReading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, precedes, stuckAfterMs } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { instant } from '../../../engine/rule/times.js';
import { answerText, equal, sameId } from '../../../engine/rule/values.js';
import type { Exchange, Judges, Trace } from '../../../engine/vocabulary.js';
import { filesOf, fileText, grouped, listing, mayBeOf } from '../view.js';

/** Whether two entries are the same file, even under a new id. */
const isFile = (a: Fields, b: Fields) =>
  sameId(a.id, b.id) ||
  (typeof a.filePath === 'string' && equal(a.filePath, b.filePath) && equal(a.directory, b.directory));

/** Whether a file has another name or path under the same id. */
const isRenamed = (was: Fields, now: Fields) =>
  sameId(was.id, now.id) && (['fileName', 'filePath'] as const).some((field) => !equal(was[field], now[field]));

/** Whether two entries have the same data, apart from the id. */
const isUnchanged = (a: Fields, b: Fields) =>
  typeof a.filePath === 'string' &&
  (['filePath', 'directory', 'fileSize', 'createdAt', 'updatedAt'] as const).every((field) =>
    equal(a[field], b[field]),
  );

function afterEnd(trace: Trace): readonly Exchange[] {
  const end = endReading(trace)?.exchange;
  return trace.listings.filter((one) => listing(one) && end && precedes(end, one));
}

/** The last listing after the end, preceded by the last one before it that has files. */
function lastTwo(trace: Trace): readonly (Exchange | undefined)[] {
  const after = afterEnd(trace);
  const next = after.at(-1);
  return [after.findLast((one) => next && precedes(one, next) && grouped(one).length > 0), next];
}

export const stayListed = {
  /**
   * Judges two listings after the end. Passes if the last one has everything that earlier ones had. Also fails if
   * in all executions each file has a new id in it.
   */
  'files-stay-listed': {
    trace(trace) {
      const [last, next] = lastTwo(trace);
      if (!next || !last) return undefined;
      const is = grouped(next);
      for (const before of [last, ...afterEnd(trace).filter((one) => precedes(one, next))]) {
        const lost = grouped(before).find(({ file }) => !is.some((one) => isFile(one.file, file)));
        if (lost) return violated([next, before], `${fileText(lost)} listed as before`, 'no longer listed');
        const renamed = grouped(before).find(({ file }) => is.some((one) => isRenamed(file, one.file)));
        if (renamed) return violated([next, before], `${fileText(renamed)} under its id, as before`, 'another file');
      }
      return satisfied([next, last]);
    },
    run({ traces }) {
      const pairs = traces.flatMap((trace) => {
        const [last, next] = lastTwo(trace);
        const [before, is] = [last, next].map((one) => (one ? filesOf(one) : []));
        const stayed = (before ?? []).flatMap((one) => is?.filter((file) => isUnchanged(one, file)) ?? []);
        return last && next && stayed.length > 0 ? { both: [next, last], before: before ?? [], stayed } : [];
      });
      // In a single execution, the files may have been written anew in between.
      const isNew = pairs.every(({ before, stayed }) =>
        stayed.every((file) => !before.some((one) => sameId(one.id, file.id))),
      );
      const [first] = pairs;
      return first && pairs.length > 1 && isNew
        ? violated(
            pairs.flatMap(({ both }) => both),
            'a file under the id that it had',
            'another id each time',
          )
        : undefined;
    },
  },

  /**
   * Judges listings after the end of the workflow that writes files. Passes if one has a file that belongs to no
   * other execution; fails if none has for many times as long as the run: files are tracked while it goes on.
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

/** Whether a file changed after the execution began. A shared file may carry the id of its first writer. */
function isWritten({ updatedAt }: Fields, all: readonly Exchange[]): boolean {
  const [at, begun] = [updatedAt, readings(all)[0]?.execution.createdAt].map(instant);
  return at !== undefined && begun !== undefined && at >= begun;
}
