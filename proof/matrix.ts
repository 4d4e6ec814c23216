/** Compares what the suite found with what faults and variations declare. */

import type { Rule, RuleId } from '../generated/rules.js';
import type { Outcome } from './cases.js';

/** What a fault declares, and what the suite found in the service that has it. */
export interface Trial {
  readonly id: string;
  readonly breaks: readonly RuleId[];
  readonly outcome: Outcome;
}

/** What the suite found in a service that conforms. `usual`: it shows all that the rules are about. */
export interface Variation {
  readonly id: string;
  readonly usual: boolean;
  readonly warns?: readonly RuleId[];
  /** Rules that cannot be judged for this service, and must stay untested. */
  readonly untested?: readonly RuleId[] | 'any';
  /** Any rule may stay untested or in doubt. */
  readonly open?: true;
  readonly outcome: Outcome;
}

/** The faults that break each rule, as the suite found. */
export type Kills = ReadonlyMap<RuleId, readonly string[]>;

type Finding = Outcome['rules'][number];
type Register = readonly Pick<Rule, 'id' | 'where'>[];

const violated = ({ rules }: Outcome): Finding[] => rules.filter(({ verdict }) => verdict === 'violated');

export const killsOf = (rules: Register, trials: readonly Trial[]): Kills =>
  new Map(
    rules.map(({ id }) => [
      id,
      trials.filter(({ outcome }) => violated(outcome).some((rule) => rule.id === id)).map((trial) => trial.id),
    ]),
  );

/** A sentence for each rule that no fault breaks. */
export const unprovenProblems = (rules: Register, trials: readonly Trial[]): string[] =>
  [...killsOf(rules, trials)].flatMap(([id, by]) => (by.length === 0 ? [`${id} is broken by no fault.`] : []));

/** A sentence for each difference between what a fault declares and what the suite found. */
export function trialProblems({ id, breaks, outcome }: Trial): string[] {
  if (outcome.unusable) return [`${id} makes the service unusable: ${outcome.unusable}`];
  const found = violated(outcome);
  const kept = outcome.rules.filter((rule) => breaks.includes(rule.id) && rule.verdict !== 'violated');
  return [
    ...(found.length === 0 ? [`${id} breaks nothing.`] : []),
    ...kept.map((rule) => `${id} declares ${rule.id}, which it leaves ${inWords(rule)}`),
    ...found
      .filter((rule) => !breaks.includes(rule.id))
      .map((rule) => `${id} does not declare ${rule.id}, which it leaves ${inWords(rule)}`),
  ];
}

/** Rules that the usual service does not show, because its runs are short. */
const notUsual: readonly RuleId[] = ['sync-default-timeout'];

/** A sentence for each wrong finding about services that conform. */
export function variationProblems(rules: Register, variations: readonly Variation[]): string[] {
  const conditional = new Set(rules.flatMap(({ id, where }) => (where ? [id] : [])));
  return variations.flatMap(({ id, usual, warns = [], untested = [], open, outcome }) => {
    if (outcome.unusable) return [`${id} is called unusable: ${outcome.unusable}`];
    const mayStay = (rule: Finding) =>
      usual ? notUsual.includes(rule.id) : conditional.has(rule.id) || untested === 'any' || untested.includes(rule.id);
    const isRight = (rule: Finding) =>
      open
        ? rule.verdict !== 'violated'
        : warns.includes(rule.id)
          ? rule.verdict === 'violated'
          : rule.verdict === 'passed' || (rule.verdict === 'untested' && mayStay(rule));
    return outcome.rules.filter((rule) => !isRight(rule)).map((rule) => `${id} leaves ${rule.id} ${inWords(rule)}`);
  });
}

const inWords = ({ verdict, why }: Finding): string => (why ? `${verdict}: ${why}` : `${verdict}.`);
