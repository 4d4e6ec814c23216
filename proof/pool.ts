import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Case, Outcome } from './cases.js';

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Runs cases side by side, one process for each core. Rejects where the suite itself fails. */
export async function runCases(cases: readonly Case[], done: (count: number) => void = () => {}): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const rest = cases.entries();
  let count = 0;

  async function work(): Promise<void> {
    const child = fork(worker, { execArgv: ['--import', 'tsx'] });
    const ended = new Promise<never>((_, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`A worker of the proof ended with ${code}.`)));
    });
    try {
      for (const [place, of] of rest) {
        const answer = once(child, 'message');
        child.send(of);
        [outcomes[place]] = (await Promise.race([answer, ended])) as [Outcome];
        done(++count);
      }
    } finally {
      ended.catch(() => {});
      child.kill();
    }
  }

  await Promise.all(Array.from({ length: Math.min(availableParallelism(), cases.length) }, work));
  return outcomes;
}
