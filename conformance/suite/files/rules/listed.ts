/** interface: GET files. What a listing shows. */

import { isOfRun, isProbe } from '../../../engine/outcome/mark.js';
import { objectIn, requestFields, status } from '../../../engine/outcome/read.js';
import { lastNotFound, mustFind, readings } from '../../../engine/outcome/readings.js';
import { isAfterReplicaLag, precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { equal, isOther, jsonText, listOf, sameId, withEarlier } from '../../../engine/rule/values.js';
import type { Exchange, Judges } from '../../../engine/vocabulary.js';
import { filesOf, fileText, grouped, type Listed, listing, ownFiles, sharedDirectories } from '../view.js';

const directories = ['debug', 'downloads', 'shared', 'tracing', 'uploads', 'workspace'] as const;

/**
 * Whether two entries are the same file, even under different ids, except files that others may add. A run may write to
 * a path more than once, but not the same file at the same time.
 */
const isSame = (one: Listed, other: Listed): boolean =>
  sameId(one.file.id, other.file.id) ||
  (one.group === other.group &&
    !sharedDirectories.includes(one.group) &&
    typeof one.file.filePath === 'string' &&
    (['filePath', 'fileName', 'fileSize', 'createdAt'] as const).every((field) =>
      equal(one.file[field], other.file[field]),
    ));

/** Whether a start was given no temp file. A recording may lack what was given. */
const wasGivenNone = (start: Exchange | undefined): boolean =>
  start !== undefined && isOfRun(start) && listOf(requestFields(start).tempFiles).length === 0;

const isDirectory = (name: unknown) => directories.some((one) => one === name);

export const listed = {
  /**
   * Judges a listing. Passes if each directory is a list of files; fails if one is not, or if the files of an
   * execution that exists are answered 404.
   */
  'files-are-grouped': {
    exchange(exchange) {
      const body = listing(exchange);
      if (!body) return undefined;
      const groups = objectIn(body, 'directories');
      const wrong = directories.filter((name) => listOf(groups[name]).length !== lengthOf(groups[name]));
      const seen = wrong.map((name) => `${name} is ${jsonText(groups[name])}`).join(', ');
      return wrong.length > 0
        ? violated(exchange, 'a list of files in each of directories', seen)
        : satisfied(exchange);
    },
    trace({ readings: all, listings }, { stateful }) {
      const [read] = readings(all);
      const found = listings.find((one) => status(one) === 200);
      const isLost = (one: Exchange) =>
        read && found && status(one) === 404 && precedes(found, one) && isAfterReplicaLag(one, read.exchange);
      const missed =
        read && stateful
          ? (lastNotFound(read.exchange, listings) ?? mustFind(read.exchange, listings).find(isLost))
          : undefined;
      return read && missed && violated([missed, read.exchange], 'the files of an execution that exists');
    },
  },

  /** Judges listed files. Passes if each names execution and workflow. Uploaded and shared ones may name others. */
  'files-belong-to-execution': {
    trace({ executionId, start, readings: all, listings }) {
      const started = start && !isProbe(start) ? start.resource : undefined;
      const workflowId = started ?? readings(all)[0]?.execution.workflowId;
      return listings.flatMap((exchange) => {
        const own = ownFiles(exchange);
        const foreign = own.find((file) => isOther(file.executionId, executionId));
        if (foreign) return violated(exchange, `files with executionId ${executionId}`, jsonText(foreign.executionId));
        const strange = own.find((file) => workflowId !== undefined && isOther(file.workflowId, workflowId));
        if (strange) return violated(exchange, `files with workflowId ${workflowId}`, jsonText(strange.workflowId));
        return filesOf(exchange).length > 0 ? satisfied(exchange) : [];
      });
    },
  },

  /**
   * Judges listed files. Passes if each is listed once, under its own directory; fails if it is listed twice,
   * under another directory, or for another execution too. Files that were uploaded for both may be listed for both.
   */
  'files-are-listed-once': {
    exchange(exchange) {
      const found = grouped(exchange);
      const [twice] = withEarlier(found, isSame);
      if (twice) return violated(exchange, `each file once: ${fileText(twice[0])}`, 'listed twice');
      // The values of this field are not shown: only the name of another list contradicts its place.
      const astray = found.find(({ group, file }) => isDirectory(file.directory) && file.directory !== group);
      if (astray)
        return violated(
          exchange,
          `${fileText(astray)} under ${jsonText(astray.file.directory)}`,
          `under ${astray.group}`,
        );
      return found.length > 0 ? satisfied(exchange) : undefined;
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
              return violated(
                [exchange, other.exchange],
                `files of ${executionId} alone`,
                `one that ${other.executionId} has`,
              );
            seen.set(id, { executionId, exchange });
          }
      return undefined;
    },
  },
} satisfies Judges;

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : -1);
