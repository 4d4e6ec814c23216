import type { Rule, RuleId } from '../generated/rules.js';
import type { Outcome } from './cases.js';

/** What a fault says of itself, and what the suite said of the service that has it. */
export interface Trial {
  readonly id: string;
  readonly breaks: readonly RuleId[];
  readonly outcome: Outcome;
}

/**
 * What the suite said of a service that conforms. `usual`: it shows all that the rules speak of. `warns`: what it breaks
 * is at most implied.
 */
export interface Variation {
  readonly id: string;
  readonly usual: boolean;
  readonly warns?: readonly RuleId[];
  /** Rules that cannot be judged there, and are to stay untested. */
  readonly untested?: readonly RuleId[] | 'any';
  /** Any rule may stay untested there, or in doubt. */
  readonly open?: true;
  readonly outcome: Outcome;
}

/** By rule: the faults with which it was found broken. */
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

/** The rules that no fault breaks, each in a sentence. */
export const unprovenProblems = (rules: Register, trials: readonly Trial[]): string[] =>
  [...killsOf(rules, trials)].flatMap(([id, by]) => (by.length === 0 ? [`${id} is broken by no fault.`] : []));

/** Where a fault declares something else than the suite found, each in a sentence. */
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

/** What the usual service does not show: its runs are short. */
const notUsual: readonly RuleId[] = ['sync-default-timeout'];

/** What the suite says of conformant services that it should not, each in a sentence. */
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
