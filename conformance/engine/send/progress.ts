/** What a run reports while it runs. conformance/engine/report/progress.ts prints it. */
export interface Progress {
  started(journey: string): void;
  /** What the journey does or waits for now: "waiting until completed". */
  step(journey: string, text: string): void;
  /** `skipped`: it ended early, because of the target or the user. `failed`: by an error of the suite itself. */
  ended(journey: string, outcome: 'done' | 'failed' | 'skipped'): void;
  /** Something about the run as a whole. */
  note(text: string): void;
  /** The run is over. */
  finish(): void;
}

export const quiet: Progress = { started() {}, step() {}, ended() {}, note() {}, finish() {} };
