import type { Terminal } from '../conformance/engine/report/progress.js';

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

/** A terminal that knows lines alone (`TERM=dumb`) is told of progress as CI is: nothing moves there. */
export function asTold(stream: Terminal, { TERM }: Context['env']): Terminal {
  if (TERM !== 'dumb') return stream;
  const write = (text: string) => stream.write(text);
  return { write, ...(stream.columns !== undefined && { columns: stream.columns }) };
}
