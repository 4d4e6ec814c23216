import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

/** All that the command says, started anew with more in its environment. */
export const commandSays = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve) => {
    const how = { env: { ...process.env, ...env } };
    execFile(process.execPath, [inject('command'), ...args], how, (_, stdout, stderr) => resolve(stdout + stderr));
  });

/** Puts the command into a folder, under its name. */
export const putCommandInto = (folder: string): Promise<void> =>
  writeFile(join(folder, 'workflow-contract'), `#!/bin/sh\nexec '${process.execPath}' '${inject('command')}' "$@"\n`, {
    mode: 0o755,
  });
