import { bodyOf, changing, without } from '../change.js';
import type { Variation } from '../variation.js';

/** Unusual listings of files. */
export const fileVariations: readonly Variation[] = [
  {
    id: 'more-directories',
    says: 'A listing has a directory that the contract does not name.',
    behaviour: changing('presentFiles', ({ directories, ...listing }) => ({
      ...listing,
      directories: { ...directories, screenshots: [] },
    })),
  },
  {
    id: 'listings-without-the-time',
    says: 'A listing of files does not say when it was last updated.',
    behaviour: bodyOf('listExecutionFiles', (body) => without(body, 'lastUpdated')),
  },
  {
    id: 'workspaces-are-cleared',
    says: 'Files of the workspace are removed once they were listed.',
    warns: ['files-stay-listed'],
    behaviour: (base) => {
      const listed = new Set<string>();
      return {
        presentFiles: (run, ...rest) => {
          const { directories, ...listing } = base.presentFiles(run, ...rest);
          const isOver = listed.has(run.id);
          if (directories.workspace.length > 0) listed.add(run.id);
          return { ...listing, directories: isOver ? { ...directories, workspace: [] } : directories };
        },
      };
    },
  },
  {
    id: 'late-files',
    says: 'Files are listed twenty seconds after the end.',
    behaviour: (base) => ({
      filesOf: (...args) => base.filesOf(...args).map((file) => ({ ...file, listedAt: file.listedAt + 20_000 })),
    }),
  },
];
