/** Starts the reference service as the target of `check` without a target. */

import type { Clock } from '../conformance/engine/send/clock.js';
import { noKnownCopies } from '../conformance/engine/send/known-copies.js';
import { withOverrides } from '../conformance/suite/target/read.js';
import { toTarget } from '../conformance/suite/target/target.js';
import type { Clock as ServiceClock } from '../reference/index.js';
import { overridesOf, type TargetArguments } from './named-target.js';

/** Faster than usual: there is no network in between, and nobody else uses the service. */
const pace = { requestsPerSecond: 5000, concurrency: 64 } as const;

/** The suite uses the service's clock: if this process is suspended, both stand still, and nothing is late. */
const asSeenBySuite = ({ now, setTimeout, clearTimeout }: ServiceClock): Clock => ({
  now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, signal?.aborted ? 0 : ms);
      signal?.addEventListener('abort', done);
    }),
});

/** Starts the reference service in this process, as the target of one run, and says so. */
export async function startEmbedded(args: TargetArguments, people: { write(text: string): unknown }) {
  const { startReference } = await import('../reference/index.js');
  const { steadyClock } = await import('../reference/steady-clock.js');
  const { systemClock } = await import('../reference/clock.js');
  const clock = steadyClock(systemClock);
  const reference = await startReference({ clock, limits: { requests: 0 } });
  const { fixtures: file } = reference;
  const target = toTarget(withOverrides({ ...file, pace: { ...file.pace, ...pace } }, overridesOf(args)));
  people.write(
    `No target is named: this checks the reference service, started for this run at ${reference.url} (allow: ${target.facts.allow}).\n\n`,
  );
  // The service ends with the run, and its copies with it.
  return { target, clock: asSeenBySuite(clock), knownCopies: noKnownCopies, close: () => reference.close() };
}
