import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Case, Outcome } from './cases.js';

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

export interface Result {
  readonly of: Case;
  readonly outcome: Outcome;
}

/** Runs cases side by side, one process for each core. In their order; rejects where the suite itself fails. */
export async function runCases(cases: readonly Case[], done: (count: number) => void = () => {}): Promise<Result[]> {
  const results: Result[] = [];
  const rest = cases.entries();
  let count = 0;

  async function work(): Promise<void> {
    const child = fork(worker, { execArgv: ['--import', 'tsx'] });
    const ended = new Promise<never>((_, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`A worker of the proof ended with ${code}.`)));
    });
    ended.catch(() => {});
    try {
      for (const [place, of] of rest) {
        const answer = once(child, 'message');
        child.send(of);
        const [outcome] = (await Promise.race([answer, ended])) as [Outcome];
        results[place] = { of, outcome };
        done(++count);
      }
    } finally {
      child.kill();
    }
  }

  await Promise.all(Array.from({ length: Math.min(availableParallelism(), cases.length) }, work));
  return results;
}
