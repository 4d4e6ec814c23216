import { UserError } from '../common/user-error.js';

/** Exit codes. The first five mean the same for every command, and scripts may rely on them. */
export const exitCodes = { ok: 0, ruleBroken: 1, usage: 2, incomplete: 3, unusable: 4, bug: 70 } as const;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  ENOSPC: 'no space is left',
};

/** Creates the error for a file that cannot be written. */
export function unwritable(file: string, error: unknown): UserError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UserError(`${file} cannot be written: ${reasons[code] ?? message}.`);
}

/** Whether an error is meant for the user: it has an exit code. So other folders need not import UserError. */
function isForUser(error: unknown): error is Error & { exitCode: number } {
  return error instanceof Error && typeof (error as { exitCode?: unknown }).exitCode === 'number';
}

/** The message and exit code for an error that reached the top. Only DEBUG shows the stack. */
export function explain(error: unknown, env: Readonly<Record<string, string | undefined>>) {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (env.DEBUG === 'workflow-contract')
    return { text: stack, exitCode: isForUser(error) ? error.exitCode : exitCodes.bug };
  if (isForUser(error)) return { text: error.message, exitCode: error.exitCode };
  const what = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
  return {
    text: `this is a bug in this tool, not in your target: ${what} (DEBUG=workflow-contract shows where)`,
    exitCode: exitCodes.bug,
  };
}
