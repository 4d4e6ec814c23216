/** What a run tells while it runs. Implemented in conformance/engine/report/progress.ts; whoever drives only calls it. */
export interface Progress {
  started(journey: string): void;
  /** What the journey does or waits for now, in words: "waiting until completed". */
  step(journey: string, text: string): void;
  /** `skipped`: it ended before its time, because of the target or the user. `failed`: the suite itself did. */
  ended(journey: string, outcome: 'done' | 'failed' | 'skipped'): void;
  /** Something about the run as a whole. */
  note(text: string): void;
  /** Leaves the terminal as it was found. Calling it twice does no harm. */
  finish(): void;
}

export const quiet: Progress = { started() {}, step() {}, ended() {}, note() {}, finish() {} };
