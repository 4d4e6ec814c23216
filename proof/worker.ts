import { type Case, runCase } from './cases.js';

/** Why the suite itself failed. */
export interface Failed {
  readonly failed: string;
}

process.on('disconnect', () => process.exit());
// Send the message only: Node would print an uncaught error with the whole bundle, which is a single line.
process.on('message', async (of: Case) =>
  process.send?.(await runCase(of).catch((error: Error): Failed => ({ failed: error.message }))),
);
