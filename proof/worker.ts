import { setFlagsFromString } from 'node:v8';
import { type Case, type Outcome, runCase } from './cases.js';
import type { Conditions } from './conditions.js';

/** Why the suite itself failed. */
export interface Failed {
  readonly failed: string;
}

// What is called less often than this takes longer to compile than it saves. A V8 without the flag ignores it.
setFlagsFromString('--interrupt-budget=400000');
process.on('disconnect', () => process.exit());
// Send the message only: Node would print an uncaught error with the whole bundle, which is a single line.
process.on('message', async (of: Case) => {
  const { conditions } = globalThis as { conditions?: Conditions };
  conditions?.seen.clear();
  if (conditions) Object.assign(conditions, { without: of.without, count: 0 });
  // A suite without one of its conditions may fail: that is no alarm.
  const failed = ({ message }: Error): Failed | Outcome =>
    of.without === undefined ? { failed: message } : { rules: [] };
  const outcome = await runCase(of).catch(failed);
  process.send?.({ ...outcome, ...(conditions && { conditions: [...conditions.seen] }) });
});
