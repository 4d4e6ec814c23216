import type { Facts } from '../engine/vocabulary.js';
import { queueAlone } from './capacity/queue-alone.js';
import { capacity } from './capacity/scenarios.js';
import type { Journey } from './driver.js';
import { wrongBodyJourneys } from './errors/scenarios.js';
import { controlJourneys, otherStartJourneys } from './executions/other-operations.js';
import { readExecution } from './executions/read-execution.js';
import { roleJourneys, stopJourneys } from './executions/roles.js';
import { runAgain } from './executions/run-again.js';
import { keysAndIds } from './keys/keys-and-ids.js';
import { realKeys } from './keys/real-keys.js';
import { besidePool, pool, poolInUse } from './pools/scenarios.js';
import { profile } from './profiles/scenarios.js';
import { groupAlone } from './starts/group-alone.js';
import { refusals } from './starts/refusals.js';
import { start } from './starts/start.js';
import { variant } from './starts/variant.js';
import { startSync, syncWaits, syncWithProfile } from './sync/scenarios.js';

/** The longest waits come first: they decide how long a run takes. */
const all = [
  capacity,
  start,
  startSync,
  syncWaits,
  ...roleJourneys,
  ...controlJourneys,
  ...otherStartJourneys,
  variant,
  keysAndIds,
  poolInUse,
  readExecution,
  refusals,
  profile,
  syncWithProfile,
  realKeys,
  ...wrongBodyJourneys,
  pool,
  besidePool,
] as const satisfies readonly Journey[];

const again = runAgain('run-again', all);

const inGroup = groupAlone([...all, again]);

const alone = queueAlone([...all, again, inGroup]);

/** Stopped executions may hold their places until a person acts, so their journeys come last. */
const stops = stopJourneys([...all, again, inGroup, alone]);

const stopsAgain = runAgain('run-stops-again', stops);

/** Every journey of the suite. */
export const everything = [...all, again, inGroup, alone, ...stops, stopsAgain] as const satisfies readonly Journey[];

/** Those that come last, whatever was sent before: they need no other journey, and no other one needs them. */
export const lastJourneys: readonly Journey[] = [again, inGroup, alone, ...stops, stopsAgain];

/** Those that complete what others did. They send nothing where that is not necessary. */
export const followUps: readonly Journey[] = [again, inGroup, alone, stopsAgain];

/** The journeys of a run. A gentle run only reads, and asks once with a wrong key. */
export const journeysFor = ({ gentle = false }: Pick<Facts, 'gentle'>): readonly Journey[] =>
  gentle ? [keysAndIds, readExecution] : everything;
