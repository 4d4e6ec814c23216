import type { Terminal } from '../conformance/engine/report/progress.js';

/** The environment of a command; tests pass their own. */
export interface Context {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user wants the command to end. */
  readonly interrupted: AbortSignal;
  /** The exit code of the process; commands set it if it is not 0. */
  exitCode: number;
}

/** Removes what makes a stream a terminal if `TERM=dumb`: progress is then written in lines, as in CI. */
export function respectDumbTerminal(stream: Terminal, { TERM }: Context['env']): Terminal {
  if (TERM !== 'dumb') return stream;
  const write = (text: string) => stream.write(text);
  return { write, ...(stream.columns !== undefined && { columns: stream.columns }) };
}
