import { setFlagsFromString } from 'node:v8';
import { type Case, runCase } from './cases.js';

/** Why the suite itself failed. */
export interface Failed {
  readonly failed: string;
}

// What is called less often than this takes longer to compile than it saves. A V8 without the flag ignores it.
setFlagsFromString('--interrupt-budget=400000');
process.on('disconnect', () => process.exit());
// Send the message only: Node would print an uncaught error with the whole bundle, which is a single line.
process.on('message', async (of: Case) =>
  process.send?.(await runCase(of).catch((error: Error): Failed => ({ failed: error.message }))),
);
