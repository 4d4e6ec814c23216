/** Shows the progress of a run, or of reading a recording. */
import { type Progress, quiet as silent } from '../send/progress.js';
import { duration, plural } from './digest.js';
import { visible } from './text.js';

/** The parts of a stream that are used here; process.stdout and process.stderr have them. */
export interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Whether to use colours. FORCE_COLOR turns them on, NO_COLOR and dumb terminals off; other terminals have them. */
export function wantsColor(terminal: Pick<Terminal, 'isTTY'>, env: Env): boolean {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return terminal.isTTY ?? false;
}

export interface ProgressOptions {
  readonly quiet?: boolean;
  /** Milliseconds; only differences matter. */
  readonly now?: () => number;
}

/** The shortest time between two lines about one journey. */
const quietMs = 5_000;

/** Shows the progress of reading a recording: live on a terminal, as occasional lines elsewhere, or nothing. */
export function reading(terminal: Terminal, { quiet = false, now = () => performance.now() }: ProgressOptions = {}) {
  const begun = now();
  let shownAt = begun;
  let drawn = false;
  return {
    read(exchanges: number) {
      const text = `${plural(exchanges, 'exchange')} read`;
      if (quiet || (!terminal.isTTY && now() - shownAt < quietMs)) return;
      shownAt = now();
      drawn = terminal.isTTY ?? false;
      terminal.write(drawn ? `\r${text}` : `[${duration(shownAt - begun).padStart(7)}] ${text}\n`);
    },
    finish() {
      if (drawn) terminal.write('\r\u001b[K');
      drawn = false;
    },
  };
}

/** Shows the progress of a run in lines, or not at all if quiet. */
export function progress(
  terminal: Terminal,
  { quiet = false, now = () => performance.now() }: ProgressOptions = {},
): Progress {
  if (quiet) return silent;
  const begun = now();
  const running = new Map<string, { readonly since: number; shownAt: number; text: string }>();
  const say = (text: string) => terminal.write(`[${duration(now() - begun).padStart(7)}] ${visible(text)}\n`);
  return {
    started(journey) {
      running.set(journey, { since: now(), shownAt: now(), text: '' });
      say(`${journey}: started`);
    },
    step(journey, text) {
      const known = running.get(journey);
      if (!known || known.text === text || now() - known.shownAt < quietMs) return;
      Object.assign(known, { shownAt: now(), text });
      say(`${journey}: ${text}`);
    },
    ended(journey, outcome) {
      const known = running.get(journey);
      running.delete(journey);
      say(`${journey}: ${outcome}${known ? ` after ${duration(now() - known.since)}` : ''}`);
    },
    note: say,
    finish() {},
  };
}
