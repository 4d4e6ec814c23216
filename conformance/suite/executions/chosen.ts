/** Chooses which executions a run starts: a budget is spent on those that serve most rules. */
import { type Rule, type RuleId, rules } from '../../../generated/rules.js';
import { declares, missingNeedsSentence, mostExecutions } from '../../engine/settings/needs.js';
import type { Facts } from '../../engine/vocabulary.js';
import { budgetForAcceptedStarts } from '../budget.js';
import { readExecution } from './read-execution.js';
import { groupSize, isServedAnyway, type StartingStepSpec, starting } from './steps.js';

/** What a run starts; the rest does not fit into the budget. */
export interface Chosen {
  readonly steps: ReadonlySet<string>;
  /** The steps that could serve a rule, if none were left out; empty if a rule needs no execution. */
  possibleFor(rule: string): readonly string[];
}

/**
 * Chooses among the executions that the journeys can start for the `selected` rules: first those that serve most rules,
 * each with the steps that it needs. Steps that only repeat are started only if a budget is given and has room. A
 * larger budget chooses all that a smaller one does, and more.
 */
export function chooseStarts(
  facts: Facts,
  journeys: readonly { readonly id: string }[],
  selected: (rule: Rule) => boolean = () => true,
): Chosen {
  const wanted: readonly RuleId[] = rules.filter(selected).map(({ id }) => id);
  const possible = (starting as readonly StartingStepSpec[]).filter(
    ({ step, needs = [], unless }) =>
      journeys.some(({ id }) => step.startsWith(`${id}/`)) &&
      // Filling the group takes as many places as it has profiles.
      (!step.startsWith('capacity/') || groupSize(facts) <= (facts.budget.places ?? Number.POSITIVE_INFINITY)) &&
      needs.every((need) => declares(facts, need)) &&
      (unless === undefined || !declares(facts, unless)),
  );
  const open = facts.stateful ? possible.filter((one) => bundleOf(one, possible)) : possible;
  const isWanted = ({ serves, compares = [] }: StartingStepSpec) =>
    [...serves, ...compares].some((rule) => wanted.includes(rule));
  const needed = new Set(open.filter(isWanted).flatMap((one) => bundleOf(one, open) ?? []));
  const { executions } = facts.budget;
  const enough = open.filter((one) => needed.has(one) && (executions !== undefined || !isHeld(one, facts)));
  const room = facts.stateful ? budgetForAcceptedStarts(executions ?? mostExecutions) : Number.POSITIVE_INFINITY;
  const steps = new Set<string>();
  let count = 0;
  const { first, repeated } = inOrder(enough, facts);
  for (const one of executions === undefined ? first : [...first, ...repeated]) {
    count += countOf(one, facts);
    if (count > room) break;
    steps.add(one.step);
  }
  return {
    steps,
    possibleFor: (rule) =>
      isServedAnyway(rule) || journeys.some(({ id }) => id === readExecution.id && isReadFor(rule))
        ? []
        : open.filter(({ serves }) => serves.some((one) => one === rule)).map(({ step }) => step),
  };
}

/** Whether an execution that exists already shows something of a rule. */
const isReadFor = (rule: string): boolean =>
  Object.values<readonly RuleId[]>(readExecution.steps).some((serves) => serves.some((one) => one === rule));

const countOf = ({ count }: StartingStepSpec, facts: Facts): number => count?.(facts) ?? 1;

const isHeld = ({ stops }: StartingStepSpec, { endsExecutions }: Facts): boolean =>
  stops === true && endsExecutions !== true;

const isRepeated = (one: StartingStepSpec, facts: Facts): boolean => one.repeats === true || isHeld(one, facts);

/** A step after those that it needs; undefined if one of these cannot be sent. */
function bundleOf(one: StartingStepSpec, among: readonly StartingStepSpec[]): readonly StartingStepSpec[] | undefined {
  if (one.beside === undefined) return [one];
  const beside = among.find(({ step }) => step === one.beside);
  const bundle = beside && bundleOf(beside, among);
  return bundle && [...bundle, one];
}

/** Orders steps by unserved rules per execution. The rest keep their order; those that repeat are apart. */
function inOrder(open: readonly StartingStepSpec[], facts: Facts) {
  const unserved = new Set<RuleId>(
    rules
      .filter((rule: Rule) => missingNeedsSentence(rule, facts) === undefined && !isServedAnyway(rule.id))
      .map(({ id }) => id),
  );
  const chosen = new Set<StartingStepSpec>();
  const worth = (bundle: readonly StartingStepSpec[]): number =>
    new Set(bundle.flatMap(({ serves }) => serves.filter((rule) => unserved.has(rule)))).size /
    bundle.reduce((sum, one) => sum + countOf(one, facts), 0);
  for (;;) {
    const bundles = open
      .filter((one) => !chosen.has(one))
      .map((one) => (bundleOf(one, open) ?? []).filter((each) => !chosen.has(each)));
    const best = bundles.reduce<readonly StartingStepSpec[]>(
      (a, b) => (a.length > 0 && worth(a) >= worth(b) ? a : b),
      [],
    );
    if (best.length === 0 || worth(best) === 0) break;
    for (const one of best) {
      chosen.add(one);
      for (const rule of one.serves) unserved.delete(rule);
    }
  }
  const rest = open.filter((one) => !chosen.has(one));
  const repeated = rest.filter((one) => isRepeated(one, facts));
  return { first: [...chosen, ...rest.filter((one) => !repeated.includes(one))], repeated };
}
