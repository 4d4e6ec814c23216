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
  /** Any rule may stay untested or inconclusive. */
  readonly open?: true;
  /** Something around the service disturbs it: a rule may be inconclusive, with a reason and a way out. */
  readonly disturbed?: boolean;
  /** All notes of the report but the usual one. */
  readonly notes?: readonly RegExp[];
  readonly outcome: Outcome;
}

/** The faults that violate each rule, as the suite found. */
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

/** A sentence for each rule that no fault violates. */
export const unprovenProblems = (rules: Register, trials: readonly Trial[]): string[] =>
  [...killsOf(rules, trials)].flatMap(([id, by]) => (by.length === 0 ? [`${id} is violated by no fault.`] : []));

/** A sentence for each difference between what a fault declares and what the suite found. Inconclusive is none. */
export function trialProblems({ id, breaks, outcome }: Trial): string[] {
  if (outcome.unusable) return [`${id} makes the service unusable: ${outcome.unusable}`];
  const isDeclared = (rule: Finding) => breaks.includes(rule.id);
  return [
    ...outcome.rules
      .filter((rule) => isDeclared(rule) && rule.verdict !== 'violated' && rule.verdict !== 'inconclusive')
      .map((rule) => `${id} declares ${rule.id}, which it leaves ${inWords(rule)}`),
    ...violated(outcome)
      .filter((rule) => !isDeclared(rule))
      .map((rule) => `${id} does not declare ${rule.id}, which it leaves ${inWords(rule)}`),
  ];
}

/** A sentence for each MUST that is called violated for a service that conforms. */
export function alarmsIn(rules: readonly Pick<Rule, 'id' | 'level'>[], variations: readonly Variation[]): string[] {
  const musts = new Set(rules.flatMap(({ id, level }) => (level === 'MUST' ? [id] : [])));
  return variations.flatMap(({ id, outcome }) =>
    violated(outcome).flatMap((rule) => (musts.has(rule.id) ? [`${id} leaves ${rule.id} ${inWords(rule)}`] : [])),
  );
}

/** Rules that the usual service does not show, because its runs are short. */
const notUsual: readonly RuleId[] = ['sync-default-timeout'];

/** A sentence for each wrong finding about services that conform. */
export function variationProblems(rules: Register, variations: readonly Variation[]): string[] {
  const conditional = new Set(rules.flatMap(({ id, where }) => (where ? [id] : [])));
  return variations.flatMap(({ id, usual, warns = [], untested = [], open, disturbed, notes, outcome }) => {
    if (outcome.unusable) return [`${id} is called unusable: ${outcome.unusable}`];
    const mayStay = (rule: Finding) =>
      usual ? notUsual.includes(rule.id) : conditional.has(rule.id) || untested === 'any' || untested.includes(rule.id);
    const isRight = (rule: Finding) =>
      open
        ? rule.verdict !== 'violated'
        : (disturbed && rule.verdict === 'inconclusive' && hasWayOut(rule.why)) ||
          (warns.includes(rule.id)
            ? rule.verdict === 'violated'
            : rule.verdict === 'passed' || (rule.verdict === 'untested' && mayStay(rule)));
    return [
      ...outcome.rules.filter((rule) => !isRight(rule)).map((rule) => `${id} leaves ${rule.id} ${inWords(rule)}`),
      ...noteProblems(id, usual ? [] : notes, outcome),
    ];
  });
}

/** The notes on every run: workflows that stop are declared, and no command that ends them; the contract deprecates a path. */
const usualNote = /^Not started: workflows\.|is deprecated: callers should not send it\.$/;

function* noteProblems(
  id: string,
  expected: readonly RegExp[] | undefined,
  { notes = [], rules }: Outcome,
): Generator<string> {
  if (!expected) return;
  const reasons = rules.map(({ why }) => why);
  for (const one of expected)
    if (![...notes, ...reasons].some((text) => one.test(text)))
      yield `${id} is reported without the note ${one.source}`;
  for (const note of notes)
    if (![usualNote, ...expected].some((one) => one.test(note))) yield `${id} is reported with another note: ${note}`;
}

/** Whether a reason says what happened, and what to do. */
export function hasWayOut(why: string): boolean {
  const [before, wayOut, after] = why.split(/To judge it, ([a-z][^.:]* [^.:]*)[.:]/);
  return wayOut !== undefined && /\w+ \w+/.test(`${before}${after}`) && why.endsWith('.');
}

/** At most so many surroundings may have an inconclusive rule, with so many rules in all; and of the faults one in a hundred. */
const most = { surroundings: 16, rules: 70, faults: 0.01 };

/** What could not be decided. */
export interface Inconclusive {
  /** The surroundings with an inconclusive rule, and these rules with the reasons. */
  readonly surroundings: readonly { readonly id: string; readonly rules: readonly Finding[] }[];
  readonly ruleCount: number;
  /** The faults of which a declared rule is inconclusive instead of violated. */
  readonly faults: readonly string[];
  readonly problems: readonly string[];
}

export function inconclusiveIn(
  trials: readonly Trial[],
  variations: readonly Variation[],
  allFaults: number,
): Inconclusive {
  const open = ({ rules }: Outcome) => rules.filter(({ verdict }) => verdict === 'inconclusive');
  const surroundings = variations
    .filter(({ disturbed }) => disturbed)
    .map(({ id, outcome }) => ({ id, rules: open(outcome) }))
    .filter(({ rules }) => rules.length > 0);
  const ruleCount = surroundings.reduce((sum, { rules }) => sum + rules.length, 0);
  const faults = trials
    .filter(({ breaks, outcome }) => open(outcome).some(({ id }) => breaks.includes(id)))
    .map(({ id }) => id);
  const beyond = (count: number, limit: number, what: string) =>
    count > limit ? [`${count} ${what} are inconclusive: at most ${limit} may be.`] : [];
  return {
    surroundings,
    ruleCount,
    faults,
    problems: [
      ...beyond(surroundings.length, most.surroundings, 'surroundings'),
      ...beyond(ruleCount, most.rules, 'rules in surroundings'),
      ...beyond(faults.length, Math.floor(most.faults * allFaults), 'faults'),
    ],
  };
}

const inWords = ({ verdict, why }: Finding): string => (why ? `${verdict}: ${why}` : `${verdict}.`);
