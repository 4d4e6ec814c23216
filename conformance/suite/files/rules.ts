/** interface: GET files; Execution file. */
import { isTerminal } from '../../../generated/lifecycle.js';
import type { RuleId } from '../../../generated/rules.js';
import { isMeantToPass } from '../../engine/outcome/expected.js';
import { type Fields, isFields, sent, status } from '../../engine/outcome/read.js';
import { due, readings } from '../../engine/outcome/readings.js';
import { answeredAt, manyTimes, precedes } from '../../engine/outcome/when.js';
import { broken, kept, unclear } from '../../engine/rule/findings.js';
import { equal, instant, listOf, sameId } from '../../engine/rule/values.js';
import { answerText, shown } from '../../engine/rule/words.js';
import type { Exchange, Judge, Trace } from '../../engine/vocabulary.js';
import { common, filesOf, listing, mayBeOf, ownFiles } from './view.js';

const directories = ['debug', 'downloads', 'shared', 'tracing', 'uploads', 'workspace'] as const;

interface Listed {
  readonly group: string;
  readonly file: Fields;
}

/** The files that are listed as they should be, each with the list that it is in. */
const grouped = (exchange: Exchange): Listed[] => {
  const groups = listing(exchange)?.directories;
  return isFields(groups)
    ? Object.entries(groups).flatMap(([group, list]) => listOf(list).map((file) => ({ group, file })))
    : [];
};

/**
 * Under another id it is the same file, unless somebody else put it there. A run may write to one path more than once, but
 * not the same at one time.
 */
const isSame = (one: Listed, other: Listed): boolean =>
  sameId(one.file.id, other.file.id) ||
  (one.group === other.group &&
    !common.includes(one.group) &&
    typeof one.file.filePath === 'string' &&
    (['filePath', 'fileName', 'fileSize', 'createdAt'] as const).every((field) =>
      equal(one.file[field], other.file[field]),
    ));

/** Whether a file changed after the execution was made: what is shared may be under the name of who wrote it first. */
function isWritten({ updatedAt }: Fields, all: readonly Exchange[]): boolean {
  const [at, begun] = [updatedAt, readings(all)[0]?.execution.createdAt].map(instant);
  return at !== undefined && begun !== undefined && at >= begun;
}

/** A start of the suite that asked for no temp file was given none; what a recording lacks may have been. */
const wasGivenNone = (start: Exchange | undefined): boolean =>
  start?.mark !== undefined && listOf(sent(start)?.tempFiles).length === 0;

const isDirectory = (name: unknown) => directories.some((one) => one === name);
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

function afterEnd({ readings: all, listings }: Trace): readonly Exchange[] {
  const end = readings(all).find((reading) => isTerminal(reading.status))?.exchange;
  return listings.filter((one) => end && precedes(end, one) && listing(one));
}

/** After the end the last listing, and before it the last one that has files. */
function lastTwo(trace: Trace): readonly (Exchange | undefined)[] {
  const after = afterEnd(trace);
  const next = after.at(-1);
  return [after.findLast((one) => next && precedes(one, next) && grouped(one).length > 0), next];
}

const inWords = ({ file }: Listed) => shown(file.fileName);

export const files = {
  /**
   * Seen: a listing. Kept where each directory is a list of files; broken where one is not, or where files of an execution
   * that exists are answered 404.
   */
  'files-are-grouped': {
    exchange(exchange) {
      const body = listing(exchange);
      if (!body) return undefined;
      const groups = isFields(body.directories) ? body.directories : {};
      const wrong = directories.filter((name) => listOf(groups[name]).length !== lengthOf(groups[name]));
      const seen = wrong.map((name) => `${name} is ${shown(groups[name])}`).join(', ');
      return wrong.length > 0 ? broken(exchange, 'a list of files in each of directories', seen) : kept(exchange);
    },
    trace({ readings: all, listings }, { stateful }) {
      const [read] = readings(all);
      // A listing may be a little behind: what is found later was not lost.
      const last = read && due(read.exchange, listings).findLast((one) => [200, 404].includes(status(one) ?? 0));
      const lost = stateful && last && status(last) === 404 ? last : undefined;
      return read && lost ? broken([lost, read.exchange], 'the files of an execution that exists') : undefined;
    },
  },

  /**
   * Seen: listed files. Kept where each names the execution and its workflow; what was uploaded or is shared may be of
   * another.
   */
  'files-belong-to-execution': {
    trace({ executionId, start, readings: all, listings }) {
      const started = start?.mark?.probe ? undefined : start?.resource;
      const workflowId = started ?? readings(all)[0]?.execution.workflowId;
      return listings.flatMap((exchange) => {
        const own = ownFiles(exchange);
        const foreign = own.find((file) => !sameId(file.executionId, executionId));
        if (foreign) return broken(exchange, `files with executionId ${executionId}`, shown(foreign.executionId));
        const strange = own.find((file) => workflowId !== undefined && !sameId(file.workflowId, workflowId));
        if (strange) return broken(exchange, `files with workflowId ${workflowId}`, shown(strange.workflowId));
        return filesOf(exchange).length > 0 ? kept(exchange) : [];
      });
    },
  },

  /**
   * Seen: listed files. Kept where each is listed once, under its own directory; broken where it is there twice, elsewhere,
   * or also among the files of another execution: what was uploaded may be, where both were given it.
   */
  'files-are-listed-once': {
    exchange(exchange) {
      const found = grouped(exchange);
      const twice = found.find((listed, index) => found.slice(0, index).some((one) => isSame(one, listed)));
      if (twice) return broken(exchange, `each file once: ${inWords(twice)}`, 'listed twice');
      // What values the field has is not shown: only one that is the name of another list contradicts its place.
      const astray = found.find(({ group, file }) => isDirectory(file.directory) && file.directory !== group);
      if (astray)
        return broken(exchange, `${inWords(astray)} under ${shown(astray.file.directory)}`, `under ${astray.group}`);
      return found.length > 0 ? kept(exchange) : undefined;
    },
    run({ traces }) {
      const seen = new Map<string, { readonly executionId: string; readonly exchange: Exchange }>();
      for (const { executionId, start, listings } of traces)
        for (const exchange of listings)
          for (const { group, file } of grouped(exchange)) {
            if (typeof file.id !== 'string' || group === 'shared') continue;
            const id = file.id.toLowerCase();
            const other = seen.get(id);
            const isCommon = group === 'uploads' && !wasGivenNone(start);
            if (other && other.executionId !== executionId && !isCommon)
              return broken(
                [exchange, other.exchange],
                `files of ${executionId} alone`,
                `one that ${other.executionId} has`,
              );
            seen.set(id, { executionId, exchange });
          }
      return undefined;
    },
  },

  /**
   * Seen: two listings after the end. Kept where the last one has all that those before it had; broken as well where each
   * file has another id there, whatever the execution.
   */
  'files-stay-listed': {
    trace(trace) {
      const [last, next] = lastTwo(trace);
      if (!next || !last) return undefined;
      const is = grouped(next);
      for (const before of [last, ...afterEnd(trace).filter((one) => one !== last && precedes(one, next))]) {
        const lost = grouped(before).find(({ file }) => !is.some((one) => isFile(one.file, file)));
        if (lost) return broken([next, before], `${inWords(lost)} listed as before`, 'no longer listed');
        const renamed = grouped(before).find(({ file }) => is.some((one) => isRenamed(file, one.file)));
        if (renamed) return broken([next, before], `${inWords(renamed)} under its id, as before`, 'another file');
      }
      return kept([next, last]);
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
        ? broken(
            pairs.flatMap(({ both }) => both),
            'a file under the id that it had',
            'another id each time',
          )
        : undefined;
    },
  },

  /**
   * Seen: listings after the end of the workflow that writes files. Kept where one has a file that is no other execution's,
   * broken where none has for many times as long as it ran: files are tracked while it does.
   */
  'files-appear': {
    trace({ start, executionId, readings: all, listings }, { workflows }) {
      if (!start || start.resource !== workflows.writesFiles) return undefined;
      const end = readings(all).find((reading) => isTerminal(reading.status))?.exchange;
      const asked = listings.filter((one) => end && precedes(end, one));
      const last = asked.at(-1);
      if (!end || !last) return undefined;
      const full = asked.find((one) => filesOf(one).some((file) => mayBeOf(executionId, file) || isWritten(file, all)));
      if (full) return kept(full);
      if (!isMeantToPass(start)) return undefined;
      if (!listing(last)) return unclear(last, `The listing was answered ${answerText(last)}.`);
      return answeredAt(last) - answeredAt(end) >= manyTimes(answeredAt(end) - start.at)
        ? broken([last, end], 'a file listed, if not while it runs, then after the end', 'none')
        : unclear(last, 'The files were not listed for long enough after the end.');
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : -1);
