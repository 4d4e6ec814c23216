/** Faults in the files of an execution. */

import type { ExecutionFile, ExecutionFiles } from '../../generated/types.js';
import type { Run, RunFile } from '../../reference/store.js';
import { directories, eachFile } from '../change.js';
import { breaking, type Fault } from '../fault.js';

/** Makes a file look like one that another execution shared some time ago. */
const ofAnother = (file: ExecutionFile): ExecutionFile => ({
  ...file,
  id: 'f0000000-0000-4000-8000-00000000005a',
  executionId: 'f0000000-0000-4000-8000-00000000000e',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  directory: 'shared',
  fileName: 'notes.md',
  filePath: 'shared/notes.md',
});

export const fileFaults: readonly Fault[] = [
  ...breaking('files-are-grouped', {
    'empty-directories-are-left-out': directories((lists) =>
      Object.fromEntries(Object.entries(lists).filter(([, files]) => files.length > 0)),
    ),
    'empty-directories-are-null': directories((lists) =>
      Object.fromEntries(Object.entries(lists).map(([name, files]) => [name, files.length > 0 ? files : null])),
    ),
    'files-are-one-list': directories((lists) => Object.values(lists).flat()),
    'queued-executions-have-no-files': (base) => ({
      presentFiles: (run, now, origin) => {
        if (run.status === 'queued') throw base.runNotFound('listExecutionFiles', run.id);
        return base.presentFiles(run, now, origin);
      },
    }),
  }),
  ...breaking('files-belong-to-execution', {
    'files-of-another-execution': directories(eachFile((file) => ({ ...file, executionId: file.id }))),
    'files-of-another-workflow': directories(eachFile((file) => ({ ...file, workflowId: file.id }))),
  }),
  ...breaking('files-are-listed-once', {
    'uploads-stay-with-the-profile': (base) => {
      const last = new Map<string, readonly RunFile[]>();
      return {
        filesOf: (run, ...rest) => {
          const own = base.filesOf(run, ...rest);
          if (!run.profile) return own;
          if (own.length === 0)
            return (last.get(run.profile.id) ?? []).filter(({ directory }) => directory === 'uploads');
          last.set(run.profile.id, own);
          return own;
        },
      };
    },
    'files-are-listed-twice': directories((lists) =>
      Object.fromEntries(Object.entries(lists).map(([name, files]) => [name, [...files, ...files.slice(0, 1)]])),
    ),
    'files-of-the-last-run-are-listed': [
      (base) => {
        let last: Run['files'] = [];
        return {
          presentFiles: (run, ...rest) => {
            if (run.files.length > 0) last = run.files;
            return base.presentFiles(run.files.length > 0 ? run : { ...run, files: last }, ...rest);
          },
        };
      },
      'files-stay-listed',
    ],
  }),
  ...breaking('files-appear', {
    'files-are-never-listed': () => ({ filesOf: () => [] }),
    'files-of-others-alone-are-listed': (base) => ({
      presentFiles: (...args) => {
        const { directories, ...listing } = base.presentFiles(...args);
        const { uploads, ...written } = directories;
        const [one] = Object.values(written).flat();
        const none = { debug: [], downloads: [], tracing: [], workspace: [] };
        return { ...listing, directories: { ...none, uploads, shared: one ? [ofAnother(one)] : [] } };
      },
    }),
    'files-are-listed-after-an-hour': (base) => ({
      filesOf: (...args) => base.filesOf(...args).map((file) => ({ ...file, listedAt: file.listedAt + 3_600_000 })),
    }),
  }),
  ...breaking('files-stay-listed', {
    'files-are-renamed-each-time': (base) => {
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
    'files-have-another-id-each-time': (base) => {
      let listings = 0;
      return directories((lists) => {
        listings += 1;
        const digits = `${listings}`.padStart(8, '0');
        return eachFile((file) => ({ ...file, id: file.id.replace(/^.{8}/, digits) }))(lists);
      })(base);
    },
    'files-are-dropped-after-a-while': (base) => {
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
  }),
];
