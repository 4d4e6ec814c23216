/** interface: GET files. Files that were listed after the end stay listed. */

import type { Fields } from '../../../engine/outcome/read.js';
import { endReading } from '../../../engine/outcome/readings.js';
import { precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { equal, sameId } from '../../../engine/rule/values.js';
import type { Exchange, Judges, Trace } from '../../../engine/vocabulary.js';
import { filesOf, fileText, grouped, listing } from '../view.js';

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
  return trace.listings.filter((one) => end && precedes(end, one) && listing(one));
}

/** The last listing after the end, preceded by the last one before it that has files. */
function lastTwo(trace: Trace): readonly (Exchange | undefined)[] {
  const after = afterEnd(trace);
  const next = after.at(-1);
  return [after.findLast((one) => next && precedes(one, next) && grouped(one).length > 0), next];
}

export const stayListed = {
  /**
   * Seen: two listings after the end. Satisfied if the last one has everything that earlier ones had. Also violated if
   * in all executions each file has a new id in it.
   */
  'files-stay-listed': {
    trace(trace) {
      const [last, next] = lastTwo(trace);
      if (!next || !last) return undefined;
      const is = grouped(next);
      for (const before of [last, ...afterEnd(trace).filter((one) => one !== last && precedes(one, next))]) {
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
} satisfies Judges;
