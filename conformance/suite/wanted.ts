/** What a run sends for the rules that are selected: its scenarios, and the executions that they start. */

import { type Rule, type RuleId, rules } from '../../generated/rules.js';
import { allowedScenarios } from '../engine/scenario/schedule.js';
import { allowMore } from '../engine/settings/needs.js';
import type { Facts, Halted } from '../engine/vocabulary.js';
import type { Scenario } from './driver.js';
import { type Chosen, chooseStarts } from './executions/steps.js';
import { followUps, isOfAnyAnswer, lastScenarios, scenariosFor, steps, stepsFor } from './scenarios.js';
import { defaults } from './target/target.js';

export interface Wanted {
  readonly scenarios: readonly Scenario[];
  readonly starts: Chosen;
}

/**
 * The scenarios with a step for a selected rule, and those that send what these compare with. A rule for every answer
 * wants all of them. `alone`: steps that are wanted for themselves.
 */
export function wantedFor(
  facts: Facts,
  selected: (rule: Rule) => boolean = () => true,
  alone: ReadonlySet<string> = new Set(),
): Wanted {
  const allowed = allowedScenarios(scenariosFor(facts), facts);
  const starts = chooseStarts(facts, allowed, selected, alone);
  const able = allowed.filter(({ begins }) => begins === undefined || !facts.stateful || starts.steps.has(begins));
  const ids = new Set<RuleId>(rules.filter(selected).map(({ id }) => id));
  if ([...ids].some(isOfAnyAnswer)) return { scenarios: able, starts };
  const serving = steps.filter(({ serves }) => serves.some((rule) => ids.has(rule))).map(({ step }) => step);
  const scenariosOf = (of: readonly string[]) => new Set(of.map((step) => step.split('/')[0] ?? ''));
  const sending = scenariosOf([...serving, ...starts.steps].filter((step) => !alone.has(step)));
  const alsoSent = scenariosOf([...alone]);
  const wanted = new Set<string>();
  // A scenario comes after those that it needs.
  for (const scenario of able.toReversed()) {
    const isNeeded = sending.has(scenario.id) || wanted.has(scenario.id) || followUps.includes(scenario);
    if (!isNeeded && !alsoSent.has(scenario.id)) continue;
    wanted.add(scenario.id);
    // What only reads costs little, and keys that are refused are compared with it.
    const earlier = able.filter(({ id, effect }) => scenario.after?.includes(id) && (isNeeded || effect === 'read'));
    if (!lastScenarios.includes(scenario)) for (const { id } of earlier) wanted.add(id);
  }
  return { scenarios: able.filter(({ id }) => wanted.has(id)), starts };
}

// Why a rule of which nothing was seen is untested: the budget had no room for the executions that could have shown it.

/** What was started, and what was not. */
export interface StartedAndLeftOut {
  readonly chosen: Chosen;
  /** The declared names of the steps that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Why scenarios stopped early. */
  readonly halts: readonly Halted[];
  readonly facts: Pick<Facts, 'budget'>;
}

/** `isUnexplained`: nothing else says why the rule was not shown. */
export const whyLeftOut =
  ({ chosen: { steps, possibleFor }, sent, halts, facts: { budget } }: StartedAndLeftOut) =>
  (rule: string, isUnexplained: boolean): string | undefined => {
    const { executions } = budget;
    const isSpent = halts.some(({ spent }) => spent === 'executions');
    const possible = possibleFor(rule);
    const left = possible.filter((step) => !steps.has(step) || (isSpent && !sent.has(step)));
    const isNone = left.length > 0 && left.length === possible.length;
    // Steps that only repeat are started if the budget is above the default: a larger default would not start them either.
    const isLeft = isSpent
      ? stepsFor(rule).some((step) => !sent.has(step))
      : executions < defaults.budget.executions && left.length > 0;
    return isNone || (isUnexplained && isLeft) ? allowMore(executions, 'executions') : undefined;
  };
