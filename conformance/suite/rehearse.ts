import type { Rule } from '../engine/contract.js';
import { runJourneys } from '../engine/scenario/schedule.js';
import type { Clock } from '../engine/send/clock.js';
import type { Journal } from '../engine/send/journal/journal.js';
import { quiet } from '../engine/send/progress.js';
import { VirtualClock } from '../engine/send/virtual-clock.js';
import type { Target } from '../engine/vocabulary.js';
import { Driver, driverOf } from './driver.js';
import { preflight } from './preflight.js';
import { rehearsal } from './rehearsal.js';
import { Session } from './session.js';
import { assumedMs, TimedTransport } from './timed-transport.js';
import { wantedFor } from './wanted.js';

/** Patience in multiples of the longest run: enough to see every end. */
const patience = 4;
const leastPatienceSeconds = 600;

export type Rehearsed = Awaited<ReturnType<typeof rehearse>>;

/** Runs the journeys against an acted target, on a virtual clock: sends nothing, and takes no time. */
export async function rehearse(
  target: Target,
  {
    copies,
    selected,
    ...how
  }: { copies?: readonly string[]; selected?: (rule: Rule) => boolean; journal?: Journal } = {},
) {
  const { facts } = target;
  const clock = new VirtualClock(0);
  const longestMs = Math.max(assumedMs(facts), ...Object.values(facts.takes ?? {}));
  const patienceSeconds = Math.max(leastPatienceSeconds, (patience * longestMs) / 1000);
  const pace = { ...facts.pace, requestsPerSecond: 1e9, patienceSeconds };
  const acted = new TimedTransport(rehearsal(facts, copies), clock, facts);
  const session = new Session(
    { ...target, facts: { ...facts, pace } },
    { transport: acted.transport, clock: lookingAway(clock, longestMs), seed: 1, ...how },
  );
  const { journeys: chosen, starts } = wantedFor(facts, selected);
  session.chosen = starts.steps;
  await clock.run(preflight(new Driver(session, 'preflight', quiet)));
  const { drivers, halts } = await clock.run(runJourneys(chosen, driverOf(session, quiet), session.clock, quiet));
  return { session, clock, acted, longestMs, lastsMs: clock.now(), chosen, drivers, starts, halts };
}

/** Polls less often if executions are long: as many polls as in a run of half a minute predict the same, sooner. */
const lookingAway = ({ now, sleep }: VirtualClock, longest: number): Clock => ({
  now,
  sleep: (ms, signal) => sleep(ms < 1000 ? ms : ms * Math.max(1, longest / 30_000), signal),
});
