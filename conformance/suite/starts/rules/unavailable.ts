/** Starts that are refused because something is in use, or gone. */

import { faultOf } from '../../../engine/outcome/mark.js';
import { accepted, refused, requestFields, usesOldName } from '../../../engine/outcome/read.js';
import { combined, inconclusive, violated } from '../../../engine/rule/findings.js';
import { comparedWithControl, probesOf, refusal } from '../../../engine/rule/probes.js';
import { noAnswer } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Facts, Finding, Judges } from '../../../engine/vocabulary.js';
import { groupWasFull } from '../../capacity/view.js';
import { covers, isOfGroup, timed } from '../../executions/intervals.js';
import { asksToQueue, isQueued } from '../../executions/view.js';
import { goneWith, isDeletion } from '../../pools/view.js';

/** Judges starts at the limit. Here even a 429 counts as a refusal: it is the limit that answers. */
function atLimit(
  evidence: Evidence,
  probes: readonly Exchange[],
  facts: Facts,
  otherwise: (probe: Exchange) => Finding,
): readonly Finding[] {
  const mayHaveRoom = probes.filter(
    (probe) => probe.response && !refused(probe) && !groupWasFull(evidence, probe, facts),
  );
  const found = probes.flatMap((probe) => {
    if (mayHaveRoom.includes(probe)) return [];
    if (!probe.response || probe.failure) return inconclusive(probe, noAnswer(probe));
    return refused(probe) ? comparedWithControl(evidence, probe) : otherwise(probe);
  });
  // One that had to wait until there was room tells nothing, beside another one that did not.
  if (found.some(({ kind }) => kind === 'satisfied')) return found;
  const why = 'It was accepted, but an execution that filled the group may have ended before.';
  return [...found, ...mayHaveRoom.map((probe) => inconclusive(probe, why))];
}

/** Fails if more starts than the group has profiles were answered `starting`, and their executions ran together. */
function crowd({ traces }: Evidence, { capacity: group }: Facts): Finding | undefined {
  const holds = timed(traces)
    .filter(isOfGroup(group?.profileGroup))
    // Another rule judges whether the deprecated name still works.
    .filter(({ trace, mayWait }) => !mayWait && !usesOldName(trace.start, 'profileGroupId'));
  const crowds = holds.flatMap(({ surely: now }) =>
    now ? [holds.filter(({ surely }) => covers(surely, { from: now.from, to: now.from }))] : [],
  );
  const found = crowds.find(({ length }) => length > (group?.size ?? Number.POSITIVE_INFINITY));
  return found
    ? violated(
        found.map(({ trace }) => trace.start),
        `a refusal once ${group?.size} executions use the group`,
        `${found.length} executions at the same time`,
      )
    : undefined;
}

const asksToQueueFiles = (exchange: Exchange) => {
  const { tempFiles } = requestFields(exchange);
  return Array.isArray(tempFiles) && tempFiles.length > 0 && asksToQueue(exchange);
};

const deletedPool = refusal('deleted-pool-cannot-run');

export const unavailable = {
  // interface: Errors rule 2
  /**
   * Judges a start for the full group. Passes if it is refused and its control is accepted; fails if it is accepted,
   * or if more executions than the group has profiles run at once.
   */
  'over-capacity-is-rejected': combined(
    {
      run: (evidence, facts) =>
        atLimit(evidence, probesOf(evidence, 'over-capacity-is-rejected'), facts, (probe) =>
          violated(probe, `a refusal with ${faultOf(probe)}`),
        ),
    },
    { run: crowd },
  ),

  // interface: Errors rule 4. It is left open whether such a request is refused while there is capacity.
  /**
   * Judges a start at the limit, with temp files and queue. Passes if it is refused; fails if it is queued, or
   * begins while the group is full.
   */
  'temp-files-are-never-queued': {
    trace({ start, readings }) {
      const queued = start && asksToQueueFiles(start) ? [start, ...readings].find(isQueued) : undefined;
      return (
        start && queued && violated([...new Set([start, queued])], 'temp files never to be queued', 'status queued')
      );
    },
    run: (evidence, facts) =>
      atLimit(
        evidence,
        probesOf(evidence, 'temp-files-are-never-queued').filter((probe) => !isQueued(probe)),
        facts,
        (probe) => violated(probe, 'a refusal while every profile is in use'),
      ),
  },

  // interface: DELETE agent-profile-pools
  /**
   * Judges a start with the pool after its deletion. Passes if it is refused and one with another group is accepted;
   * fails if it is accepted.
   */
  'deleted-pool-cannot-run': {
    run: (evidence, facts) =>
      evidence.exchanges.some((one) => isDeletion(one) && accepted(one) && goneWith(one, evidence.exchanges))
        ? deletedPool.run?.(evidence, facts)
        : undefined,
  },
} satisfies Judges;
