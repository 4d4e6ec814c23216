/** Plans a run without sending anything. */
import './suite/contract.js';
import { operations } from '../generated/operations.js';
import { type Rule, type RuleId, rules } from '../generated/rules.js';
import { accepted, isCopyRequest, isId } from './engine/outcome/read.js';
import { Tally } from './engine/rule/verdicts.js';
import { type KnownCopies, noKnownCopies } from './engine/send/known-copies.js';
import { quiet } from './engine/send/recorder.js';
import { budgetSpent, missingNeeds, mostExecutions } from './engine/settings/needs.js';
import type { Plan, PlannedStep } from './engine/vocabulary/report.js';
import type { Effect, Exchange, Facts, RuleVerdict, Target } from './engine/vocabulary.js';
import { tidy } from './suite/copies/scratch.js';
import { Driver } from './suite/driver.js';
import { readExecution } from './suite/executions/follow.js';
import { untestedIfLeftOut } from './suite/executions/left-out.js';
import { isStarting } from './suite/executions/steps.js';
import { sweep } from './suite/executions/sweep.js';
import { usedHooks, withMade } from './suite/hooks.js';
import { leftBehind } from './suite/left-behind.js';
import { foresee, rehearse } from './suite/rehearse.js';
import { isOfAnyAnswer, namesOf, rulesServed, stepsFor } from './suite/scenarios.js';
import { gather } from './suite/views.js';

const polls = ['read', 'list'];

/** The path of a rehearsed request, with placeholders for ids that are not known yet. */
function plannedPath(exchange: Exchange, facts: Facts, declared: string): string {
  const { operation, request } = exchange;
  const { url } = request;
  const template = operation ? operations[operation].path : '';
  const name = /\{\w+\}/.exec(template)?.[0] ?? '{id}';
  return url
    .slice(facts.baseUrl.length)
    .replace(/[^/?&=]+/g, (part) => (isId(part) && !declared.includes(part.toLowerCase()) ? name : part));
}

/** Runs the journeys against a simulated target; what they send is the plan. */
export async function plan(
  named: Target,
  selected: (rule: Rule) => boolean = () => true,
  /** Knows the copies of earlier runs, which are used again. */
  knownCopies: KnownCopies = noKnownCopies,
): Promise<Plan> {
  const hooks = usedHooks(named, rules.filter(selected));
  const target = withMade(named, rules.filter(selected));
  const { facts } = target;
  const rehearsed = await rehearse(target, { knownCopies: { ...knownCopies, write: noKnownCopies.write }, selected });
  const { session, clock, chosen, drivers, starts, halts } = rehearsed;
  const foreseen = session.executions.started.size > 0 && facts.stateful ? await foresee(target, rehearsed) : undefined;
  const sweeper = new Driver(session, 'sweep', quiet);
  await clock.run(sweep(sweeper));
  if (facts.stateful) await clock.run(tidy(sweeper));
  const evidence = gather(session.exchanges);
  const once = session.exchanges.filter(({ mark }) => mark && !polls.includes(mark.step));
  const declared = JSON.stringify(named.facts).toLowerCase();
  const effectOf = new Map<string, Effect>([
    ['preflight', 'read'],
    ...chosen.map(({ id, effect }) => [id, effect] as const),
    // The sweep reads by whatever the run may do: a profile by an update that changes nothing.
    ...(chosen.length > 0 ? [['sweep', facts.allow] as const] : []),
  ]);
  const names: ReadonlySet<string> = new Set(rules.filter(selected).map(({ id }) => id));
  const journeys = [...effectOf].map(([id, effect]) => {
    const counted = new Map<string, PlannedStep>();
    for (const exchange of session.exchanges) {
      const { mark, operation, request } = exchange;
      if (mark?.scenario !== id) continue;
      const { method } = request;
      const path = plannedPath(exchange, facts, declared);
      const key = `${mark.step} ${method} ${path}`;
      const before = counted.get(key);
      counted.set(key, {
        step: mark.step,
        operation: operation ?? 'no operation',
        method,
        path,
        times: (before?.times ?? 0) + 1,
        repeats: polls.includes(mark.step),
        serves: rulesServed(mark).filter((rule) => names.has(rule)),
        asks: mark.observes ?? [],
      });
    }
    return { id, effect, steps: [...counted.values()] };
  });
  const sentSteps = namesOf(session.exchanges);
  const all = journeys.flatMap(({ id, steps }) => steps.map((step) => ({ ...step, name: `${id}/${step.step}` })));
  const sentFor = (rule: RuleId) =>
    isOfAnyAnswer(rule)
      ? ['*']
      : [...new Set(all.filter(({ serves }) => serves.includes(rule)).map(({ name }) => name))];
  const isSpent = halts.some(({ why }) => why === budgetSpent(facts.budget.executions ?? mostExecutions));
  /** The verdict of a rule of which nothing is shown, if that is foreseeable. */
  const unshown = (rule: Rule): RuleVerdict | undefined => {
    const verdict = new Tally().verdict(rule, facts, { driven: true, halts });
    if (verdict.verdict === 'not-applicable') return verdict;
    const sent = sentFor(rule.id);
    if (sent.some((name) => name.startsWith(`${readExecution.id}/`))) return undefined;
    const possible = isOfAnyAnswer(rule.id) ? [] : starts.possibleFor(rule.id);
    const others = stepsFor(rule.id).filter((step) => !isStarting(step));
    const isUnshown =
      missingNeeds(rule, facts).length > 0 ||
      (possible.length > 0 && !possible.some((step) => session.mayStart(step))) ||
      // An accepted start alone shows nothing of a refusal that the budget has no room for.
      (isSpent && others.length > 0 && !others.some((step) => sentSteps.has(step))) ||
      (sent.length === 0 && halts.some(({ isLacking }) => isLacking));
    return isUnshown
      ? untestedIfLeftOut(verdict, rule.where ?? '', { chosen: starts, sent: sentSteps, halts, facts })
      : undefined;
  };
  return {
    journeys,
    requests: once.length,
    executions: facts.stateful ? session.executions.started.size : 0,
    ...(foreseen && { foreseen }),
    ...(hooks.length > 0 && { hooks }),
    duplicates: session.exchanges.filter((one) => isCopyRequest(one) && accepted(one)).length,
    leavesBehind: facts.stateful
      ? [...leftBehind(evidence, session.copies.earlier), ...drivers.flatMap((driver) => driver.leftBehind)]
          .filter(({ kind }) => !hooks.some(({ ends }) => ends === kind))
          .map(({ kind, note }) => `${kind}: ${note}`)
      : [],
    rules: rules.filter(selected).map(({ id }) => ({ rule: id, steps: sentFor(id) })),
    untested: rules.filter(selected).flatMap((rule: Rule) => {
      const verdict = unshown(rule);
      const notSent = stepsFor(rule.id).filter((step) => !sentSteps.has(step));
      return verdict ? [{ rule: rule.id, why: verdict.why, notSent }] : [];
    }),
  };
}
