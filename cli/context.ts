import type { Terminal } from '../conformance/report/terminal.js';

/** What a command may touch of the world outside; tests hand in their own. */
export interface Context {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user wants the command to end. */
  readonly interrupted: AbortSignal;
  /** Where the command ends; a command sets it when that is not 0. */
  exitCode: number;
}
