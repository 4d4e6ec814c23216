import { isTerminal } from '../../generated/lifecycle.js';
import type { ExecutionFile, ExecutionFiles } from '../../generated/types.js';
import { iso } from '../../reference/clock.js';
import type { Run } from '../../reference/store.js';
import { bodyOf, isFields } from '../change.js';
import type { Fault } from '../fault.js';

const listing = (change: Parameters<typeof bodyOf>[1]) => bodyOf('listExecutionFiles', change);
const directories = (change: (lists: object) => unknown) =>
  listing((body) => ({
    ...body,
    directories: isFields(body.directories) ? change(body.directories) : body.directories,
  }));

const eachFile = (change: (file: ExecutionFile) => object) => (lists: object) =>
  Object.fromEntries(
    Object.entries(lists).map(([name, files]: [string, ExecutionFile[]]) => [name, files.map(change)]),
  );

/** What another execution shared some time ago. */
const ofAnother = (file: object): object => ({
  ...file,
  id: 'f0000000-0000-4000-8000-00000000005a',
  executionId: 'f0000000-0000-4000-8000-00000000000e',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  directory: 'shared',
  fileName: 'notes.md',
  filePath: 'shared/notes.md',
});

/** Lists by a clock that is set back by a minute each time. */
const olderEachTime =
  (change: (listing: ExecutionFiles, ms: number) => object): Fault['behaviour'] =>
  (base) => {
    let ms = 0;
    return {
      presentFiles: (...args) => {
        ms += 60_000;
        return change(base.presentFiles(...args), ms) as ExecutionFiles;
      },
    };
  };

/** The files of an execution. */
export const fileFaults: readonly Fault[] = [
  {
    id: 'empty-directories-are-left-out',
    breaks: ['files-are-grouped'],
    says: 'A directory without files is not in the listing.',
    behaviour: directories((lists) =>
      Object.fromEntries(Object.entries(lists).filter(([, files]) => files.length > 0)),
    ),
  },
  {
    id: 'empty-directories-are-null',
    breaks: ['files-are-grouped'],
    says: 'A directory without files is null.',
    behaviour: directories((lists) =>
      Object.fromEntries(Object.entries(lists).map(([name, files]) => [name, files.length > 0 ? files : null])),
    ),
  },
  {
    id: 'files-are-one-list',
    breaks: ['files-are-grouped'],
    says: 'The files are one list that is not grouped.',
    behaviour: directories((lists) => Object.values(lists).flat()),
  },
  {
    id: 'files-beside-temp-files-are-500',
    breaks: ['no-server-errors'],
    says: 'The service fails to list the files of an execution that was given temp files.',
    behaviour: (base) => ({
      presentFiles: (run, ...others) => {
        if (run.start.tempFiles.length > 0) throw new Error('The files could not be listed.');
        return base.presentFiles(run, ...others);
      },
    }),
  },
  {
    id: 'running-executions-have-no-files',
    breaks: ['files-are-grouped'],
    says: 'The files of an execution are not found before it has ended.',
    behaviour: (base) => ({
      presentFiles: (run, now, origin) => {
        if (!isTerminal(run.status)) throw base.runNotFound('listExecutionFiles', run.id);
        return base.presentFiles(run, now, origin);
      },
    }),
  },
  {
    id: 'queued-executions-have-no-files',
    breaks: ['files-are-grouped'],
    says: 'The files of an execution are not found while it is queued.',
    behaviour: (base) => ({
      presentFiles: (run, now, origin) => {
        if (run.status === 'queued') throw base.runNotFound('listExecutionFiles', run.id);
        return base.presentFiles(run, now, origin);
      },
    }),
  },
  {
    id: 'files-of-queued-executions-are-500',
    breaks: ['no-server-errors'],
    says: 'The service fails to list the files of an execution that is queued.',
    behaviour: (base) => ({
      presentFiles: (run, ...others) => {
        if (run.status === 'queued') throw new Error('The files could not be listed.');
        return base.presentFiles(run, ...others);
      },
    }),
  },
  {
    id: 'last-updated-goes-back',
    breaks: ['times-are-in-order'],
    says: 'lastUpdated is a minute earlier with each listing.',
    behaviour: olderEachTime((listing, ms) => ({
      ...listing,
      lastUpdated: iso(Date.parse(String(listing.lastUpdated)) - ms),
    })),
  },
  {
    id: 'files-are-of-next-year',
    breaks: ['times-are-in-order'],
    says: 'The files of an execution were updated in a year.',
    behaviour: directories((lists) =>
      eachFile((file) => ({ ...file, updatedAt: iso(Date.parse(file.updatedAt) + 365 * 86_400_000) }))(lists),
    ),
  },
  {
    id: 'files-are-renamed-each-time',
    breaks: ['files-stay-listed'],
    says: 'A file has another name with each listing.',
    behaviour: (base) => {
      let count = 0;
      return {
        presentFiles: (...args) => {
          const listing = base.presentFiles(...args);
          count += 1;
          const fileName = `${count}.txt`;
          return {
            ...listing,
            directories: eachFile((file) => ({ ...file, fileName }))(listing.directories),
          } as ExecutionFiles;
        },
      };
    },
  },
  {
    id: 'files-grow-older',
    breaks: ['times-are-in-order'],
    says: 'The files of an execution were created a minute earlier with each listing.',
    behaviour: olderEachTime((listing, ms) => ({
      ...listing,
      directories: eachFile((file) => ({ ...file, createdAt: iso(Date.parse(file.createdAt) - ms) }))(
        listing.directories,
      ),
    })),
  },
  {
    id: 'last-updated-is-never',
    breaks: ['response-matches-schema'],
    says: 'lastUpdated is the word never where no file is listed.',
    behaviour: listing((body) =>
      isFields(body.directories) && Object.values(body.directories).flat().length > 0
        ? body
        : { ...body, lastUpdated: 'never' },
    ),
  },
  {
    id: 'no-files-is-404',
    breaks: ['files-are-grouped'],
    says: 'The files of an execution that has none are answered 404.',
    behaviour: (base) => ({
      answer: (call, answer) => {
        const body =
          call.operation === 'listExecutionFiles' && isFields(answer.body) ? answer.body.directories : undefined;
        return base.answer(
          call,
          isFields(body) && Object.values(body).flat().length === 0
            ? { status: 404, body: { code: 404, message: 'The execution was not found.' } }
            : answer,
        );
      },
    }),
  },
  {
    id: 'files-of-another-execution',
    breaks: ['files-belong-to-execution'],
    says: 'A file names another execution than the one whose files are listed.',
    behaviour: directories(eachFile((file) => ({ ...file, executionId: file.id }))),
  },
  {
    id: 'files-of-another-workflow',
    breaks: ['files-belong-to-execution'],
    says: 'A file names another workflow than that of the execution.',
    behaviour: directories(eachFile((file) => ({ ...file, workflowId: file.id }))),
  },
  {
    id: 'files-of-another-agent',
    breaks: ['identity-is-constant'],
    says: 'A file names another agent than that of the execution.',
    behaviour: directories(eachFile((file) => ({ ...file, agentId: file.id }))),
  },
  {
    id: 'files-have-another-id-each-time',
    breaks: ['files-stay-listed'],
    says: 'A file has a new id whenever it is listed.',
    behaviour: (base) => {
      let listings = 0;
      return directories((lists) => {
        listings += 1;
        const digits = `${listings}`.padStart(8, '0');
        return eachFile((file) => ({ ...file, id: file.id.replace(/^.{8}/, digits) }))(lists);
      })(base);
    },
  },
  {
    id: 'files-are-never-listed',
    breaks: ['files-appear'],
    says: 'The files of an execution are never listed.',
    behaviour: () => ({ filesOf: () => [] }),
  },
  {
    id: 'files-of-others-alone-are-listed',
    breaks: ['files-appear'],
    says: 'Of the files of an execution only those are listed that another one shared.',
    behaviour: directories((lists) => {
      const { uploads, ...written } = lists as Record<string, object[]>;
      const none = Object.fromEntries(Object.keys(written).map((name) => [name, []]));
      return { ...none, uploads, shared: Object.values(written).flat().slice(0, 1).map(ofAnother) };
    }),
  },
  {
    id: 'files-are-listed-after-an-hour',
    breaks: ['files-appear'],
    says: 'The files of an execution are listed an hour after its end.',
    behaviour: (base) => ({
      filesOf: (...args) => base.filesOf(...args).map((file) => ({ ...file, listedAt: file.listedAt + 3_600_000 })),
    }),
  },
  {
    id: 'files-are-listed-twice',
    breaks: ['files-are-listed-once'],
    says: 'A file is listed twice.',
    behaviour: directories((lists) =>
      Object.fromEntries(Object.entries(lists).map(([name, files]) => [name, [...files, ...files.slice(0, 1)]])),
    ),
  },
  {
    id: 'files-are-in-the-next-directory',
    breaks: ['files-are-listed-once'],
    says: 'A file is listed under another directory than its own.',
    behaviour: directories((lists) => {
      const [last, ...others] = Object.values(lists).toReversed();
      return Object.fromEntries(Object.keys(lists).map((name, place) => [name, [last, ...others.toReversed()][place]]));
    }),
  },
  {
    id: 'files-of-the-last-run-are-listed',
    breaks: ['files-are-listed-once'],
    says: 'A run without files has those of the run that wrote some last.',
    behaviour: (base) => {
      let last: Run['files'] = [];
      return {
        presentFiles: (run, ...rest) => {
          if (run.files.length > 0) last = run.files;
          return base.presentFiles(run.files.length > 0 ? run : { ...run, files: last }, ...rest);
        },
      };
    },
  },
  {
    id: 'files-are-dropped-after-a-while',
    breaks: ['files-stay-listed'],
    says: 'Files are listed no longer when they were listed once.',
    behaviour: (base) => {
      const listed = new Map<string, number>();
      return {
        presentFiles: (run, ...rest) => {
          const before = listed.get(run.id) ?? 0;
          const listing = base.presentFiles(run, ...rest);
          const full = Object.values(listing.directories).flat().length > 0;
          if (full) listed.set(run.id, before + 1);
          return before < 1 ? listing : base.presentFiles({ ...run, files: [] }, ...rest);
        },
      };
    },
  },
];
