import type { Journey } from '../driver.js';
import { capacity } from './capacity.js';
import { keysAndIds } from './keys-and-ids.js';
import { pool, poolInUse } from './pool.js';
import { profile } from './profile.js';
import { putBackRest } from './put-back.js';
import { queueAlone } from './queue-alone.js';
import { readExecution } from './read-execution.js';
import { realKeys } from './real-keys.js';
import { refusals } from './refusals.js';
import { roleJourneys } from './roles.js';
import { runAgain } from './run-again.js';
import { start } from './start.js';
import { startSync, syncWaits, syncWithProfile } from './start-sync.js';
import { variant } from './variant.js';

/** The longest waits first: they decide how long a run takes. */
const all: readonly Journey[] = [
  capacity,
  start,
  startSync,
  syncWaits,
  ...roleJourneys,
  variant,
  keysAndIds,
  poolInUse,
  readExecution,
  refusals,
  profile,
  syncWithProfile,
  realKeys,
  pool,
];

const again = runAgain(all);

const alone = queueAlone([...all, again]);

export const journeys: readonly Journey[] = [...all, again, alone, putBackRest([...all, again, alone])];
