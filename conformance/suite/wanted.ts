/** What a run sends for the rules that are selected: its journeys, and the executions that they start. */
import { type Rule, type RuleId, rules } from '../../generated/rules.js';
import { allowedJourneys } from '../engine/scenario/schedule.js';
import type { Facts } from '../engine/vocabulary.js';
import type { Journey } from './driver.js';
import { type Chosen, chooseStarts } from './executions/steps.js';
import { followUps, isOfAnyAnswer, journeysFor, lastJourneys, steps } from './scenarios.js';

export interface Wanted {
  readonly journeys: readonly Journey[];
  readonly starts: Chosen;
}

/**
 * The journeys with a step for a selected rule, and those that send what these compare with. A rule for every answer
 * wants all of them.
 */
export function wantedFor(facts: Facts, selected: (rule: Rule) => boolean = () => true): Wanted {
  const allowed = allowedJourneys(journeysFor(facts), facts);
  const starts = chooseStarts(facts, allowed, selected);
  const able = allowed.filter(({ begins }) => begins === undefined || !facts.stateful || starts.steps.has(begins));
  const ids = new Set<RuleId>(rules.filter(selected).map(({ id }) => id));
  if ([...ids].some(isOfAnyAnswer)) return { journeys: able, starts };
  const serving = steps.filter(({ serves }) => serves.some((rule) => ids.has(rule))).map(({ step }) => step);
  const sending = new Set([...serving, ...starts.steps].map((step) => step.split('/')[0]));
  const wanted = new Set<string>();
  // A journey comes after those that it needs.
  for (const journey of able.toReversed()) {
    if (!sending.has(journey.id) && !wanted.has(journey.id) && !followUps.includes(journey)) continue;
    wanted.add(journey.id);
    if (!lastJourneys.includes(journey)) for (const earlier of journey.after ?? []) wanted.add(earlier);
  }
  return { journeys: able.filter(({ id }) => wanted.has(id)), starts };
}
