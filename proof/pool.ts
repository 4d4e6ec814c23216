import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.js';
import { type Case, idOf, type Outcome, type RunCost } from './cases.js';
import type { Failed } from './worker.js';

export interface Result {
  readonly of: Case;
  readonly outcome: Outcome & RunCost;
}

/** Runs cases in parallel, one process for each core, and keeps their order. Rejects if the suite itself fails. */
export async function runCases(
  cases: readonly Case[],
  done: (count: number) => void = () => {},
  notesConditions = false,
): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'proof-'));
  try {
    const worker = join(folder, 'worker.mjs');
    await writeFile(worker, (await bundle(notesConditions)).worker);
    return await runIn(worker, cases, done);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runIn(worker: string, cases: readonly Case[], done: (count: number) => void): Promise<Result[]> {
  const results: Result[] = [];
  const rest = cases.entries();
  let count = 0;

  async function work(): Promise<void> {
    // Most of what a run makes is short-lived, and the reference service refuses by errors whose stacks nobody reads.
    const child = fork(worker, { execArgv: ['--max-semi-space-size=64', '--stack-trace-limit=0'] });
    const ended = new Promise<never>((_, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`A worker of the proof ended with ${code}.`)));
    });
    ended.catch(() => {});
    try {
      for (const [place, of] of rest) {
        const answer = once(child, 'message');
        child.send(of);
        const [outcome] = (await Promise.race([answer, ended])) as [(Outcome & RunCost) | Failed];
        if ('failed' in outcome) throw new Error(`With ${idOf(of)} the suite itself failed: ${outcome.failed}`);
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
