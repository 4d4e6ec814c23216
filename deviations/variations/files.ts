import { changing } from '../change.js';
import { behaving, type Variation } from '../variation.js';

/** Unusual listings of files. */
export const fileVariations: readonly Variation[] = behaving({
  'more-directories': changing('presentFiles', ({ directories, ...listing }) => ({
    ...listing,
    directories: { ...directories, screenshots: [] },
  })),
  'workspaces-are-cleared': [
    (base) => {
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
    { warns: ['files-stay-listed'] },
  ],
});
