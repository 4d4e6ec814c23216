/** Reports a declared workflow that is too short or too long for its purpose. The rule is then untested, not inconclusive. */

import { isTerminal } from '../../generated/lifecycle.js';
import type { Rule } from '../../generated/rules.js';
import { isAt, isExcluded } from '../engine/outcome/mark.js';
import { isOutsideContract } from '../engine/outcome/outcome.js';
import { endReading, readings } from '../engine/outcome/readings.js';
import { answeredAt } from '../engine/outcome/when.js';
import type { RuleVerdict } from '../engine/vocabulary/report.js';
import type { Evidence, Facts } from '../engine/vocabulary.js';
import { lifetime } from './executions/intervals.js';
import { asksToQueue } from './executions/view.js';
import { defaultWaitMs } from './sync/view.js';
import { finalStatusOf, workflowRoles } from './target/roles.js';

/** A profile must be held, and a stop must last, at least this long: otherwise the suite cannot observe it. */
const meetableMs = 1000;

/** Turns "inconclusive" into "untested", with advice, if the declared workflows could not show more. */
export function untestedIfUnsuited(
  rule: RuleVerdict,
  needs: Rule['needs'],
  evidence: Evidence,
  facts: Facts,
): RuleVerdict {
  if (rule.verdict !== 'inconclusive') return rule;
  const advice = unsuited(rule, needs, evidence, facts);
  return advice === undefined ? rule : { ...rule, verdict: 'untested', why: '', advice };
}

function unsuited({ id }: RuleVerdict, needs: Rule['needs'], evidence: Evidence, facts: Facts): string | undefined {
  const lasted = (workflow: string | undefined) => lifetimes(evidence, workflow);
  const isShort = (all: readonly number[], ms = meetableMs) => all.length > 0 && Math.max(...all) < ms;
  const { workflows, capacity } = facts;
  const needed = Math.max(meetableMs, 2 * fillingMs(evidence));
  if (needs.includes('capacity') && isShort(lasted(capacity?.workflow), needed))
    return `declare a capacity.workflow that runs for ${inSeconds([needed])}: it ran for ${inSeconds(lasted(capacity?.workflow))}`;
  if (needs.some((need) => need.split('|').includes('workflows.slow')) && isShort(lasted(workflows.slow)))
    return `declare a workflows.slow that runs for longer than ${inSeconds(lasted(workflows.slow))}`;
  if (id === 'execution-progresses') {
    const role = stops.find((one) => isShort(lasted(workflows[one])));
    return (
      role && `declare a workflows.${role} that stops for longer: it ended after ${inSeconds(lasted(workflows[role]))}`
    );
  }
  const completes = lasted(workflows.completes);
  if (restsOnAnEnd.includes(id) && completes.length > 0 && Math.min(...completes) > defaultWaitMs)
    return `declare a workflows.completes that ends within ${defaultWaitMs / 1000} s`;
  return undefined;
}

const stops = workflowRoles.filter((role) => !isTerminal(finalStatusOf[role]));

/** Rules that only a synchronous call which is answered with the end can show. */
const restsOnAnEnd: readonly string[] = ['sync-200-means-terminal', 'sync-result-agrees', 'sync-returns-when-done'];

/**
 * How long runs of a workflow lasted, by the target's clock, but at least as long as they were seen. Runs that asked to
 * queue do not count: they are created long before they run.
 */
const lifetimes = ({ traces }: Evidence, workflow: string | undefined): number[] =>
  traces
    .filter(({ start }) => start && start.resource === workflow && !asksToQueue(start) && !start.changedByRequest)
    .flatMap((trace) => {
      const end = endReading(trace);
      const seen = readings(trace.readings).findLast(({ status }) => !isTerminal(status));
      const times = [
        end && lifetime(end.execution),
        end && trace.start && seen && seen.exchange.at - answeredAt(trace.start),
      ].filter((ms) => ms !== undefined);
      return times.length > 0 ? Math.max(...times) : [];
    });

/**
 * How long it took to fill the group and ask for more: it has to stay full as long again, for what comes next. 0 if that took
 * long because of a limit or a gateway.
 */
function fillingMs({ exchanges }: Evidence): number {
  const all = exchanges.filter(({ mark }) => mark?.scenario === 'capacity');
  const [first, ...others] = all.filter((one) => !isExcluded(one) && isAt(one, 'hold-1', 'read-held'));
  const last = others.at(-1);
  return first && last && !all.some(isOutsideContract) ? answeredAt(last) - first.at : 0;
}

const inSeconds = (all: readonly number[]): string => `${(Math.max(...all) / 1000).toFixed(1)} s`;
