/** interface: GET files. What a listing shows. */

import { sent, within } from '../../../engine/outcome/read.js';
import { lost, readings } from '../../../engine/outcome/readings.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { withEarlier } from '../../../engine/rule/pairs.js';
import { equal, listOf, sameId } from '../../../engine/rule/values.js';
import { shown } from '../../../engine/rule/words.js';
import type { Exchange, Judges } from '../../../engine/vocabulary.js';
import { common, filesOf, grouped, inWords, type Listed, listing, ownFiles } from '../view.js';

const directories = ['debug', 'downloads', 'shared', 'tracing', 'uploads', 'workspace'] as const;

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

/** A start of the suite that asked for no temp file was given none; what a recording lacks may have been. */
const wasGivenNone = (start: Exchange | undefined): boolean =>
  start?.mark !== undefined && listOf(sent(start)?.tempFiles).length === 0;

const isDirectory = (name: unknown) => directories.some((one) => one === name);

export const listed = {
  /**
   * Seen: a listing. Satisfied where each directory is a list of files; violated where one is not, or where files of an execution
   * that exists are answered 404.
   */
  'files-are-grouped': {
    exchange(exchange) {
      const body = listing(exchange);
      if (!body) return undefined;
      const groups = within(body, 'directories');
      const wrong = directories.filter((name) => listOf(groups[name]).length !== lengthOf(groups[name]));
      const seen = wrong.map((name) => `${name} is ${shown(groups[name])}`).join(', ');
      return wrong.length > 0
        ? violated(exchange, 'a list of files in each of directories', seen)
        : satisfied(exchange);
    },
    trace({ readings: all, listings }, { stateful }) {
      const [read] = readings(all);
      const missed = read && stateful ? lost(read.exchange, listings) : undefined;
      return read && missed && violated([missed, read.exchange], 'the files of an execution that exists');
    },
  },

  /**
   * Seen: listed files. Satisfied where each names the execution and its workflow; what was uploaded or is shared may be of
   * another.
   */
  'files-belong-to-execution': {
    trace({ executionId, start, readings: all, listings }) {
      const started = start?.mark?.probe ? undefined : start?.resource;
      const workflowId = started ?? readings(all)[0]?.execution.workflowId;
      return listings.flatMap((exchange) => {
        const own = ownFiles(exchange);
        const foreign = own.find((file) => !sameId(file.executionId, executionId));
        if (foreign) return violated(exchange, `files with executionId ${executionId}`, shown(foreign.executionId));
        const strange = own.find((file) => workflowId !== undefined && !sameId(file.workflowId, workflowId));
        if (strange) return violated(exchange, `files with workflowId ${workflowId}`, shown(strange.workflowId));
        return filesOf(exchange).length > 0 ? satisfied(exchange) : [];
      });
    },
  },

  /**
   * Seen: listed files. Satisfied where each is listed once, under its own directory; violated where it is there twice, elsewhere,
   * or also among the files of another execution: what was uploaded may be, where both were given it.
   */
  'files-are-listed-once': {
    exchange(exchange) {
      const found = grouped(exchange);
      const [twice] = withEarlier(found, isSame);
      if (twice) return violated(exchange, `each file once: ${inWords(twice[0])}`, 'listed twice');
      // What values the field has is not shown: only one that is the name of another list contradicts its place.
      const astray = found.find(({ group, file }) => isDirectory(file.directory) && file.directory !== group);
      if (astray)
        return violated(exchange, `${inWords(astray)} under ${shown(astray.file.directory)}`, `under ${astray.group}`);
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
