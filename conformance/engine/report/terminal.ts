/** What a report needs to know of where it is printed; process.stdout and process.stderr are two. */
export interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Whether colours are wanted: FORCE_COLOR says so, NO_COLOR or a dumb terminal says no, else a terminal has them. */
export function wantsColor(terminal: Pick<Terminal, 'isTTY'>, env: Env): boolean {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return terminal.isTTY ?? false;
}
