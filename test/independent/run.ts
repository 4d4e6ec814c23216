import { check, type Run } from '../../conformance/check.js';
import { VirtualClock } from '../../conformance/engine/send/clock.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { allExecutions } from '../../proof/cases.js';
import { inProcess } from '../../proof/transport.js';
import type { Fault } from './hooks.js';
import { createIndependent } from './service.js';
import type { WayId } from './ways.js';

/** Checks the independent service in this process, on a clock of its own. */
export async function checkIndependent(way: WayId, fault?: Fault, seed = 1): Promise<Run> {
  const clock = new VirtualClock();
  const service = createIndependent({ clock, way, fault, seed });
  try {
    return await clock.run(
      check({
        target: toTarget({ ...service.target, budget: { executions: allExecutions } }),
        transport: inProcess(service.fetch, clock),
        clock,
        seed,
      }),
    );
  } finally {
    service.close();
  }
}
