/** Shows the progress of a run, or of reading a recording. */
import { type Progress, quiet as silent } from '../send/recorder.js';
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

interface ProgressOptions {
  readonly quiet?: boolean;
  /** Milliseconds; only differences matter. */
  readonly now?: () => number;
  /** Calls `tick` periodically. Returns a function that stops it. */
  readonly every?: (ms: number, tick: () => void) => () => void;
}

/** Tenths of a second would only flicker. */
const wholeSeconds = (ms: number): string => (ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms));

/** Shows progress: live on a terminal, as lines elsewhere (CI), not at all if quiet. */
export function progress(terminal: Terminal, options: ProgressOptions = {}): Progress {
  const { quiet = false, now = () => performance.now(), every = repeat } = options;
  if (quiet) return silent;
  return terminal.isTTY ? live(terminal, now, every) : lines(terminal, now);
}

function repeat(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
}

/** The shortest time between two lines about one scenario. In a long run it is a twentieth of the time so far. */
const quietMs = 5_000;
/** What has not changed is told again after this time: some CI systems stop what says nothing for minutes. */
const aliveMs = 60_000;

function lines(terminal: Terminal, now: () => number): Progress {
  const begun = now();
  const running = new Map<string, { readonly since: number; shownAt: number; text: string }>();
  const say = (text: string) => terminal.write(`[${duration(now() - begun).padStart(7)}] ${visible(text)}\n`);
  return {
    started(scenario) {
      running.set(scenario, { since: now(), shownAt: now(), text: '' });
    },
    step(scenario, text) {
      const scenarioNow = running.get(scenario);
      const leastMs = scenarioNow?.text === text ? aliveMs : Math.max(quietMs, (now() - begun) / 20);
      if (!scenarioNow || now() - scenarioNow.shownAt < leastMs) return;
      Object.assign(scenarioNow, { shownAt: now(), text });
      say(`${scenario}: ${text}`);
    },
    ended(scenario, outcome) {
      const tookMs = now() - (running.get(scenario)?.since ?? now());
      running.delete(scenario);
      // One that had nothing to send is over at once.
      if (outcome !== 'done' || tookMs >= 1) say(`${scenario}: ${outcome} after ${duration(tookMs)}`);
    },
    note: say,
    finish() {},
  };
}

const redrawMs = 100;
const shownScenarios = 8;
const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
const clearBelow = '\u001b[0J';

function live(terminal: Terminal, now: () => number, every: Required<ProgressOptions>['every']): Progress {
  const running = new Map<string, { readonly since: number; text: string }>();
  let over = 0;
  let drawn = 0;
  let finished = false;

  const view = (): string[] => {
    if (running.size === 0) return [];
    const rows = [...running].slice(0, shownScenarios);
    const column = Math.max(...rows.map(([scenario]) => scenario.length));
    const hidden = running.size - rows.length;
    const others = [
      ...(hidden > 0 ? [`and ${hidden} more`] : []),
      ...(over > 0 ? [`${plural(over, 'scenario')} over`] : []),
    ].join('; ');
    return [
      ...rows.map(
        ([scenario, { since, text }]) =>
          `  ${scenario.padEnd(column)}  ${wholeSeconds(now() - since).padStart(9)}  ${visible(text)}`,
      ),
      ...(others === '' ? [] : [`  ${others}`]),
    ];
  };
  /** A single write, so that the cursor is never left hidden, however the process ends. */
  const draw = (above = '', rows = view()) => {
    const columns = (terminal.columns || 80) - 1;
    const up = drawn > 0 ? `\u001b[${drawn}F` : '';
    const below = rows.map((row) => `${row.slice(0, columns)}\n`).join('');
    terminal.write(`${hideCursor}${up}${clearBelow}${above}${below}${showCursor}`);
    drawn = rows.length;
  };
  const stop = every(redrawMs, () => draw());

  return {
    started(scenario) {
      running.set(scenario, { since: now(), text: '' });
    },
    step(scenario, text) {
      const scenarioNow = running.get(scenario);
      if (scenarioNow) scenarioNow.text = text;
    },
    ended(scenario, outcome) {
      running.delete(scenario);
      over += 1;
      if (outcome === 'failed') draw(`  ${visible(scenario)}: failed\n`);
    },
    note: (text) => draw(`${visible(text)}\n`),
    finish() {
      if (finished) return;
      finished = true;
      stop();
      draw('', []);
    },
  };
}
