/** Refusals for want of what is in use, or gone. */
import { isTerminal } from '../../../generated/lifecycle.js';
import type { RuleId } from '../../../generated/rules.js';
import { accepted, answer, readable, sent } from '../../evidence/read.js';
import type { Evidence, Exchange, Finding, Judge } from '../../vocabulary.js';
import { heard } from '../expected.js';
import { broken, kept, unclear } from '../findings.js';
import { besideTwin, probesOf, refusal } from '../probes.js';
import { noAnswer } from '../words.js';

/** Whether every execution that the suite filled the group with was still going on when the answer came. */
function groupWasFull({ traces, exchanges }: Evidence, { at, durationMs }: Exchange): boolean {
  const isHold = ({ mark }: Exchange) =>
    mark?.journey === 'capacity' && mark.step.startsWith('hold-') && !mark.superseded;
  const holds = traces.filter(({ start }) => start && isHold(start));
  return (
    holds.length > 0 &&
    holds.length === exchanges.filter(isHold).length &&
    holds.every(({ readings }) =>
      readable(readings).some(
        ({ exchange, execution }) => exchange.at >= at + durationMs && !isTerminal(String(execution.status)),
      ),
    )
  );
}

/** At the limit even a 429 is a refusal: it is the limit that answers. */
const atLimit = (evidence: Evidence, probe: Exchange, otherwise: () => Finding): Finding => {
  if (!probe.response || probe.failure) return unclear(probe, noAnswer(probe));
  if (probe.response.status >= 400) return besideTwin(evidence, probe);
  return groupWasFull(evidence, probe)
    ? otherwise()
    : unclear(probe, 'It was accepted, but an execution that filled the group may have ended before.');
};

const asksToQueueFiles = (exchange: Exchange) => {
  const { tempFiles, onCapacityLimit } = sent(exchange) ?? {};
  return Array.isArray(tempFiles) && tempFiles.length > 0 && onCapacityLimit === 'queue';
};

const isQueued = (exchange: Exchange) => accepted(exchange) && answer(exchange)?.status === 'queued';

const deletedPool = refusal('deleted-pool-cannot-run');

export const unavailable = {
  // interface: Errors rule 2
  'over-capacity-is-rejected': {
    run: (evidence) =>
      probesOf(evidence, 'over-capacity-is-rejected').map((probe) =>
        atLimit(evidence, probe, () => broken(probe, `a refusal with ${probe.mark?.probe?.fault}`, heard(probe))),
      ),
  },

  // interface: Errors rule 4. Whether such a request is refused while there is capacity is left open.
  'temp-files-are-never-queued': {
    trace({ start, readings }) {
      const queued = start && asksToQueueFiles(start) ? [start, ...readings].find(isQueued) : undefined;
      return start && queued && broken([...new Set([start, queued])], 'temp files never to be queued', 'status queued');
    },
    run: (evidence) =>
      probesOf(evidence, 'temp-files-are-never-queued').flatMap((probe) =>
        isQueued(probe) ? [] : atLimit(evidence, probe, () => kept(probe)),
      ),
  },

  // interface: DELETE agent-profile-pools
  'deleted-pool-cannot-run': {
    run: (evidence, facts) =>
      evidence.exchanges.some((one) => one.operation === 'deletePool' && accepted(one))
        ? deletedPool.run?.(evidence, facts)
        : undefined,
  },
} satisfies Partial<Record<RuleId, Judge>>;
