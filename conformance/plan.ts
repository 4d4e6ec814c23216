/** Plans a run from what is declared of its scenarios and steps. Nothing is sent. */
import './suite/contract.js';
import { type Rule, rules } from '../generated/rules.js';
import { isCopyRequest, isStartRequest } from './engine/outcome/read.js';
import { byKey } from './engine/rule/values.js';
import { Tally, withAdvice } from './engine/rule/verdicts.js';
import { type KnownCopies, noKnownCopies } from './engine/send/known-copies.js';
import type { Target } from './engine/send/request-spec.js';
import { allowMore, allows, missingNeeds } from './engine/settings/needs.js';
import type { Plan, PlannedScenario, RuleVerdict } from './engine/vocabulary/report.js';
import type { Facts, Halted } from './engine/vocabulary.js';
import { Copies } from './suite/copies/known.js';
import type { Scenario } from './suite/driver.js';
import { readExecution } from './suite/executions/follow.js';
import { countOf, isStarting, type StartingStepSpec, starting } from './suite/executions/steps.js';
import { assumedMs, costOf, type PlannedExecution, timetable } from './suite/executions/timetable.js';
import { usedHooks, withMade } from './suite/hooks.js';
import { followUps, isOfAnyAnswer, type SentFor, steps, stepsFor } from './suite/scenarios.js';
import { placeOfUse, workflowFor } from './suite/target/roles.js';
import { wantedFor, whyLeftOut } from './suite/wanted.js';

export async function plan(
  named: Target,
  selected: (rule: Rule) => boolean = () => true,
  /** Knows the copies of earlier runs, which are used again. */
  knownCopies: KnownCopies = noKnownCopies,
): Promise<Plan> {
  const wanted = rules.filter(selected);
  const hooks = usedHooks(named, wanted);
  const { facts } = withMade(named, wanted);
  const { scenarios, starts } = wantedFor(facts, selected);
  const chosen = (starting as readonly StartingStepSpec[]).filter(({ step }) => starts.steps.has(step));
  const times = timetable(facts, scenarios, chosen);
  const copies = new Copies(knownCopies, facts);
  await copies.load();
  const copying = scenarios.filter(
    ({ effect, sends }) => allows(effect, 'write') && sends.some((operation) => isCopyRequest({ operation })),
  );
  const newCopies = copying.length > 0 && facts.stateful ? Math.max(0, facts.budget.copies - copies.existing) : 0;
  const isLackingCopies = copying.length > 0 && newCopies === 0 && copies.existing === 0;
  // With a disposable profile only duplications are lacking.
  const isWithoutProfile = isLackingCopies && facts.scratchProfile === undefined;
  const sending = new Set(scenarios.filter((one) => !(isWithoutProfile && copying.includes(one))).map(({ id }) => id));
  // What a start that must be refused might start needs room in the budget beside the one that is accepted.
  const mayBeRefused = facts.budget.executions > 1;
  const isSent = (one: SentFor) =>
    isStarting(one.step)
      ? starts.steps.has(one.step)
      : sending.has(one.step.split('/')[0] ?? '') && (mayBeRefused || !isRefusedStart(one));
  const sent = new Set(steps.filter(isSent).map(({ step }) => step));
  const halts: readonly Halted[] = isLackingCopies
    ? [{ why: `0 of ${facts.budget.copies} copies exist.`, need: 'profile', spent: 'copies' }]
    : [];
  const sentFor = (rule: string) => (isOfAnyAnswer(rule) ? ['*'] : stepsFor(rule).filter((step) => sent.has(step)));
  /** The verdict of a rule of which nothing will be seen. */
  const unshown = (rule: Rule): RuleVerdict | undefined => {
    const leftOut = whyLeftOut({ chosen: starts, sent, halts: [{ why: '', spent: 'executions' }], facts });
    const verdict = new Tally().verdict(rule, facts, { driven: true, halts, leftOut });
    if (verdict.verdict === 'not-applicable' || missingNeeds(rule, facts).length > 0) return verdict;
    const serving = sentFor(rule.id);
    if (serving.includes('*') || serving.some((step) => step.startsWith(`${readExecution.id}/`))) return undefined;
    const alone = starts.possibleFor(rule.id);
    const others = steps.filter(
      ({ step, serves }) => !isStarting(step) && !isFollowUp(step) && serves.some((id) => id === rule.id),
    );
    const comparing = (starting as readonly StartingStepSpec[]).filter(({ compares }) =>
      compares?.some((id) => id === rule.id),
    );
    const isStarted =
      alone.some((step) => starts.steps.has(step)) || comparing.filter(({ step }) => starts.steps.has(step)).length > 1;
    const isShown =
      (isStarted || (alone.length === 0 && comparing.length === 0)) &&
      (others.length === 0 || others.some(({ step }) => sent.has(step)) || !others.every(isRefusedStart));
    if (isShown) return undefined;
    const isCompared = alone.length === 0 && comparing.length > 0;
    return isCompared ? { ...verdict, why: '', advice: allowMore(facts.budget.executions, 'executions') } : verdict;
  };
  const names = new Set<string>(wanted.map(({ id }) => id));
  const looks = { effect: 'read', sends: ['getExecution', 'listExecutionFiles'] } as const;
  const isPoolDeleted = scenarios.some(({ id }) => id === 'pool');
  const sweep: Pick<Scenario, 'id' | 'effect' | 'sends'> = {
    ...looks,
    id: 'sweep',
    sends: [
      ...looks.sends,
      ...(newCopies > 0 ? (['updateProfile'] as const) : []),
      ...(isPoolDeleted ? (['execute'] as const) : []),
    ],
  };
  const plannedScenarios = [
    { id: 'preflight', ...looks },
    ...scenarios.filter(({ id }) => !isFollowUp(`${id}/`)),
    ...(scenarios.length > 0 ? [sweep] : []),
  ].map(({ id, effect, sends }): PlannedScenario => {
    const own = steps.filter(({ step }) => step.startsWith(`${id}/`) && sent.has(step));
    return {
      id,
      effect,
      operations: sends,
      executions: times.executions.filter(({ step }) => step.startsWith(`${id}/`)).length,
      fromMs: times.begins.get(id) ?? 0,
      steps: own.map(({ step, serves }) => ({ step, serves: serves.filter((rule) => names.has(rule)) })),
    };
  });
  const executions = facts.stateful ? chosen.reduce((sum, one) => sum + countOf(one, facts), 0) : 0;
  const requests =
    executions + plannedScenarios.length + scenarios.reduce((sum, { requests: own = 0 }) => sum + own, 0);
  const undone = (kind: string) => !hooks.some(({ ends }) => ends === kind);
  const held = times.executions.filter(({ isHeld }) => isHeld).length;
  return {
    scenarios: plannedScenarios,
    requests,
    executions,
    mostExecutions: executions === 0 ? 0 : facts.budget.executions,
    ...(executions > 0 && { foreseen: foreseen(facts, times.executions, times.lastsMs, requests) }),
    ...(hooks.length > 0 && { hooks }),
    copies: newCopies,
    leavesBehind: [
      ...(newCopies > 0 && undone('profile') ? [`copies of the profile: at most ${newCopies}`] : []),
      ...(held > 0 && undone('execution') ? [`paused executions, which hold their places: ${held}`] : []),
      ...(isPoolDeleted && undone('deleted pool') ? ['the pool: deleted'] : []),
    ],
    rules: wanted.map(({ id }) => ({ rule: id, steps: sentFor(id) })),
    untested: wanted.flatMap((rule) => {
      const verdict = unshown(rule);
      const notSent = stepsFor(rule.id).filter((step) => !sent.has(step));
      return verdict ? [{ rule: rule.id, why: withAdvice(verdict).why, notSent }] : [];
    }),
  };
}

/** Whether a step is only sent where another one showed too little. */
const isFollowUp = (step: string): boolean => followUps.some(({ id }) => step.startsWith(`${id}/`));

/** Whether a step that starts nothing serves rules about starts alone. */
const isRefusedStart = ({ serves }: SentFor): boolean =>
  serves.length > 0 &&
  serves.every((id) =>
    rules.some((rule: Rule) => rule.id === id && rule.on.every((operation) => isStartRequest({ operation }))),
  );

function foreseen(facts: Facts, all: readonly PlannedExecution[], lastsMs: number, requests: number) {
  const assumed = [...new Set(all.filter(({ use }) => facts.takes?.[use] === undefined).map(({ use }) => use))];
  const cost = costOf(
    all.map(({ use }) => workflowFor(use, facts)),
    facts,
  );
  const isOver = ({ isHeld, until }: PlannedExecution, at: number) => !isHeld && until <= at;
  return {
    lastsMs: Math.ceil(Math.max(lastsMs, (requests * 1000) / facts.pace.requestsPerSecond)),
    ...(assumed.length > 0 && { assumed: { ms: assumedMs(facts), of: assumed.map(placeOfUse) } }),
    places: Math.max(0, ...all.map(({ from }) => all.filter((one) => one.from <= from && !isOver(one, from)).length)),
    heldMs: Math.ceil(all.reduce((sum, { from, until, isHeld }) => sum + (isHeld ? lastsMs : until) - from, 0)),
    ...(cost && { cost }),
    executions: [...byKey(all, ({ use }) => placeOfUse(use))].map(([workflow, of]) => ({ workflow, count: of.length })),
  };
}
