import { type Case, runCase } from './cases.js';

/** Why the suite itself failed. */
export interface Failed {
  readonly failed: string;
}

// What is thrown here would be told with the whole bundle, which is one line.
process.on('message', async (of: Case) =>
  process.send?.(await runCase(of).catch((error: Error): Failed => ({ failed: error.message }))),
);
