/** Where the command line ends. The first five mean the same for every command; a script may rely on them. */
export const exitCodes = { ok: 0, ruleBroken: 1, usage: 2, incomplete: 3, unusable: 4, bug: 70 } as const;

/** A mistake of the caller's, in the arguments or in a file they name: one line that says what is wrong and the way out. */
export class UsageError extends Error {
  readonly exitCode = exitCodes.usage;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written',
  ENOSPC: 'no space is left',
  ENXIO: 'it is a pipe that nobody reads from',
};

/** The error that tells of a file that could not be written. */
export function unwritable(file: string, error: unknown): UsageError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UsageError(`${file} cannot be written: ${reasons[code] ?? message}.`);
}

/** Any error with an exit code of its own is meant for the user. So other folders need not import this one. */
function isForUser(error: unknown): error is Error & { exitCode: number } {
  return error instanceof Error && typeof (error as { exitCode?: unknown }).exitCode === 'number';
}

/** What to print for an error that reached the top, and where to end. Shows a stack only to those who ask for it. */
export function explain(error: unknown, env: Readonly<Record<string, string | undefined>>) {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (env.DEBUG === 'workflow-contract')
    return { text: stack, exitCode: isForUser(error) ? error.exitCode : exitCodes.bug };
  if (isForUser(error)) return { text: error.message, exitCode: error.exitCode };
  const what = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
  return {
    text: `this is a bug of the tool, not of your target: ${what} (DEBUG=workflow-contract shows where)`,
    exitCode: exitCodes.bug,
  };
}
