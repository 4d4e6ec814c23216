import { type CheckOptions, check, type Run } from '../conformance/check.js';
import type { Transport } from '../conformance/engine/http/transport.js';
import { VirtualClock } from '../conformance/engine/send/clock.js';
import { toTarget } from '../conformance/suite/target/target.js';
import { createReference, type ReferenceOptions, type Surroundings } from '../deviations/index.js';
import { inProcess } from './transport.js';

/** Checks a reference service in this process, on a virtual clock: without sockets or real waiting. */
export async function checkInProcess(
  { gateway = (service) => service, ...reference }: ReferenceOptions & Pick<Surroundings, 'gateway'>,
  options: Partial<CheckOptions> = {},
  /** A gateway between the suite and the service. */
  between: (service: Transport, clock: VirtualClock) => Transport = (service) => service,
): Promise<Run> {
  const clock = new VirtualClock();
  const limits = { ...reference.limits, requests: 0 };
  const service = createReference({ seed: 1, report: () => {}, ...reference, limits, clock });
  const work = check({
    target: toTarget(service.fixtures),
    transport: between(inProcess(gateway(service.fetch, clock), clock), clock),
    clock,
    seed: 1,
    ...options,
  });
  try {
    return await clock.run(work);
  } finally {
    await service.close();
  }
}
