/** interface: GET files. What was listed after the end stays so. */

import type { Fields } from '../../../engine/outcome/read.js';
import { ending } from '../../../engine/outcome/readings.js';
import { precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { equal, sameId } from '../../../engine/rule/values.js';
import type { Exchange, Judges, Trace } from '../../../engine/vocabulary.js';
import { filesOf, grouped, inWords, listing } from '../view.js';

/** Under a new id it is the same file still. */
const isFile = (a: Fields, b: Fields) =>
  sameId(a.id, b.id) ||
  (typeof a.filePath === 'string' && equal(a.filePath, b.filePath) && equal(a.directory, b.directory));

/** Another name or path under the id that a file had. */
const isRenamed = (was: Fields, now: Fields) =>
  sameId(was.id, now.id) && (['fileName', 'filePath'] as const).some((field) => !equal(was[field], now[field]));

/** The record of one file, but for its id. */
const isUnchanged = (a: Fields, b: Fields) =>
  typeof a.filePath === 'string' &&
  (['filePath', 'directory', 'fileSize', 'createdAt', 'updatedAt'] as const).every((field) =>
    equal(a[field], b[field]),
  );

function afterEnd(trace: Trace): readonly Exchange[] {
  const end = ending(trace)?.exchange;
  return trace.listings.filter((one) => end && precedes(end, one) && listing(one));
}

/** After the end the last listing, and before it the last one that has files. */
function lastTwo(trace: Trace): readonly (Exchange | undefined)[] {
  const after = afterEnd(trace);
  const next = after.at(-1);
  return [after.findLast((one) => next && precedes(one, next) && grouped(one).length > 0), next];
}

export const stayListed = {
  /**
   * Seen: two listings after the end. Satisfied where the last one has all that those before it had; broken as well where each
   * file has another id there, whatever the execution.
   */
  'files-stay-listed': {
    trace(trace) {
      const [last, next] = lastTwo(trace);
      if (!next || !last) return undefined;
      const is = grouped(next);
      for (const before of [last, ...afterEnd(trace).filter((one) => one !== last && precedes(one, next))]) {
        const lost = grouped(before).find(({ file }) => !is.some((one) => isFile(one.file, file)));
        if (lost) return violated([next, before], `${inWords(lost)} listed as before`, 'no longer listed');
        const renamed = grouped(before).find(({ file }) => is.some((one) => isRenamed(file, one.file)));
        if (renamed) return violated([next, before], `${inWords(renamed)} under its id, as before`, 'another file');
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
      // What brings them may have been made anew between two of them.
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
