/** The second pass: sends the steps of what was violated or inconclusive once more, and says what shows again. */
import { type Rule, rules as register } from '../generated/rules.js';
import { memoize } from './engine/memoize.js';
import { disturbanceIn, mayBeDisturbed } from './engine/outcome/excluded.js';
import { accepted, startedId, traitsOf } from './engine/outcome/read.js';
import { sameId } from './engine/rule/values.js';
import { expectation, nameOf, signatureOf, stepOf } from './engine/rule/violations.js';
import type { Target } from './engine/send/request-spec.js';
import { mostRepeated } from './engine/settings/needs.js';
import type { Report, RuleVerdict, Run, Violation } from './engine/vocabulary/report.js';
import type { Exchange, Facts, Finding } from './engine/vocabulary.js';
import type { Pass } from './pass.js';
import type { Scenario } from './suite/driver.js';
import { isServedAnyway, isStarting, starting } from './suite/executions/steps.js';
import { deletesPool } from './suite/operations.js';
import { declaredFor, everything, isOfAnyAnswer } from './suite/scenarios.js';
import { type Wanted, wantedFor } from './suite/wanted.js';

/** At the pace of the first pass a rate limit would come again, and seem to be reproduced. It is halved, to this at least. */
const slowPace = 5;
/** If both passes were disturbed, this share of the steps at fault must be at fault again. */
const enoughSteps = 0.75;

/** An exchange of this run, or of an earlier report. */
type Sent = Pick<Exchange, 'id' | 'operation' | 'resource' | 'request' | 'at' | 'durationMs'> &
  Partial<Exchange> & { readonly scenario: string; readonly step: string };

export const withNames = (exchanges: readonly Exchange[]): Sent[] =>
  exchanges.flatMap((one) => (one.mark ? [{ scenario: one.mark.scenario, step: one.mark.step, ...one }] : []));

/** A violation or a doubt: its rule, and the exchanges that show it first. */
interface Case {
  readonly rule: RuleVerdict<string>;
  readonly exchanges: readonly number[];
}

/** What is to be sent again. */
export interface Steps {
  /** As they are declared: `capacity/hold`. */
  readonly names: ReadonlySet<string>;
  readonly rules: readonly Rule[];
  /** Rules that need all that is declared for them: which step could not be decided is not known. */
  readonly open: ReadonlySet<string>;
}

/** The steps of exchanges, and of the starts of the executions that they are about. */
function stepsOf(ids: readonly number[], all: readonly Sent[]): Sent[] {
  const shown = all.filter(({ id }) => ids.includes(id));
  return [...shown, ...shown.flatMap((one) => startOf(one, all) ?? [])];
}

const startOf = (one: Sent, all: readonly Sent[]): Sent | undefined =>
  one.resource === null ? undefined : all.find((start) => sameId(startedId(start), one.resource));

/** A step with the start that it is about: the same reading of another execution is another one. */
const keyOf = (one: Sent, all: readonly Sent[]): string =>
  [one, startOf(one, all)].map((each) => each && (isLook(each) ? each.operation : stepOf(each))).join(' of ');
/** Which step reads or lists an execution depends on the moment. */
const isLook = (one: Sent): boolean => /^(?:\*|sweep)\/(?:read|list|look|watch)/.test(declaredFor(one)?.step ?? '');

/** The declared name of a step, with its own scenario; of a start in plainer words, or alone, that of the usual one. */
function nameOfStep(one: Sent): string {
  const name = (declaredFor(one)?.step ?? stepOf(one)).replace(/^\*/, one.scenario);
  return isStarting(name) ? name : (starting.find(({ step }) => name.startsWith(`${step}-`))?.step ?? name);
}

export function stepsToRepeat(cases: readonly Case[], all: readonly Sent[]): Steps {
  const ids = new Set(cases.map(({ rule }) => rule.id));
  // A refusal counts beside an accepted start, and a group has to be filled before it is full.
  const needsStart = ({ rule, exchanges }: Case) =>
    !isServedAnyway(rule.id) && !stepsOf(exchanges, all).some((one) => isStarting(nameOfStep(one)));
  return {
    names: new Set(
      cases.flatMap((one) => {
        const names = stepsOf(one.exchanges, all).map(nameOfStep);
        const begun = names.flatMap((name) => begins(name, needsStart(one)) ?? []);
        return [...names, ...begun];
      }),
    ),
    rules: register.filter(({ id }) => ids.has(id)),
    open: new Set(
      cases.flatMap((one) =>
        (one.rule.verdict === 'inconclusive' && !isOfAnyAnswer(one.rule.id)) || needsStart(one) ? one.rule.id : [],
      ),
    ),
  };
}

/** The start without which the scenario of a step sends nothing; else its first one if one is needed. */
function begins(name: string, isNeeded: boolean): string | undefined {
  const [scenario = ''] = name.split('/');
  const first = isNeeded ? starting.find(({ step }) => step.startsWith(`${scenario}/`))?.step : undefined;
  return (everything as readonly Scenario[]).find(({ id }) => id === scenario)?.begins ?? first;
}

export const wantedAgain =
  ({ names, open }: Steps) =>
  (facts: Facts): Wanted =>
    wantedFor(facts, ({ id }) => open.has(id), names);

/**
 * The target for the second pass: with the budget that is left, unless executions stood still, and at a slow pace if something
 * disturbed the first.
 */
export function targetAgain(named: Target, { session, evidence }: Pass, isDisturbed: boolean): Target {
  const { pool, ...facts } = named.facts;
  const { executions } = facts.budget;
  const left =
    waitedInVain(evidence).length > 0 ? 0 : Math.min(mostRepeated, executions - session.executions.mostStarted);
  const isDeleted = evidence.exchanges.some((one) => deletesPool(one) && accepted(one) && sameId(one.resource, pool));
  const { requestsPerSecond } = facts.pace;
  const { exchanges, clock } = session;
  const paceBefore = (1000 * exchanges.length) / (clock.now() - (exchanges[0]?.at ?? 0));
  return {
    ...named,
    // Which header each operation takes is known of the keys of a pass.
    keys: { ...named.keys },
    facts: {
      ...facts,
      ...(pool !== undefined && !isDeleted && { pool }),
      budget: { ...facts.budget, executions: Math.max(0, left) },
      pace: isDisturbed
        ? { ...facts.pace, requestsPerSecond: Math.min(Math.max(slowPace, paceBefore / 2), requestsPerSecond) }
        : facts.pace,
    },
  };
}

/** The same for a run that repeats what an earlier report has. */
export const targetFor = (named: Target): Target => ({
  ...named,
  facts: {
    ...named.facts,
    budget: { ...named.facts.budget, executions: Math.min(mostRepeated, named.facts.budget.executions) },
  },
});

/** What became of the violations of an earlier report. */
export const nowOf = (pass: Pass, report: Report): NonNullable<Run['again']> =>
  casesIn(report).map(({ rule: { id, level }, violation }) => {
    const { repeated, why = 'something disturbed the run' } = compareWith(pass, id, violation, report.exchanges, true);
    const now = repeated === 'reproduced' ? 'still there' : repeated === 'once-of-two' ? 'gone' : 'undecided';
    return { rule: id, level, violation, now, ...(now === 'undecided' && { why }) };
  });

/** The starts of executions whose states did not come. */
const waitedInVain = ({ traces }: Pass['evidence']): number[] =>
  traces.flatMap(({ start, failedWait }) =>
    failedWait && failedWait.reason !== 'unreadable' ? (start?.id ?? []) : [],
  );

/** The violations of a pass, and the rules that it could not decide; not what waiting in vain showed. */
export function casesOf({ found, evidence }: Pass): Case[] {
  const waited = new Set(waitedInVain(evidence));
  const sent = withNames(evidence.exchanges);
  const isInVain = (ids: readonly number[]) => stepsOf(ids, sent).some(({ id }) => waited.has(id));
  return found.rules.flatMap((rule) => {
    const all = rule.verdict === 'violated' ? rule.violations.map((one) => one.exchanges) : [rule.exchanges];
    return rule.verdict === 'violated' || rule.verdict === 'inconclusive'
      ? all.filter((ids) => !isInVain(ids)).map((exchanges) => ({ rule, exchanges }))
      : [];
  });
}

/** The violations of an earlier report. */
export const casesIn = ({ rules }: Report): (Case & { readonly violation: Violation })[] =>
  rules.flatMap((rule) => rule.violations.map((violation) => ({ rule, violation, exchanges: violation.exchanges })));

export interface Comparison {
  readonly repeated: 'reproduced' | 'once-of-two' | 'not-repeated';
  /** Why it was not repeated. */
  readonly why?: string;
  /** Both passes were disturbed, and too few of its steps were at fault again. */
  readonly isDisturbed?: true;
}

const sentIn = memoize(({ evidence }: Pass) => {
  const sent = withNames(evidence.exchanges);
  return { sent, keys: sent.map((one) => keyOf(one, sent)) };
});

/** What a pass says of a violation that was seen before, in these exchanges. */
function compareWith(
  second: Pass,
  rule: string,
  violation: Pick<Violation, 'signature' | 'operation' | 'exchanges' | 'others'>,
  before: readonly Sent[],
  wasDisturbed: boolean,
): Comparison {
  const { sent, keys } = sentIn(second);
  const first = before.filter(({ id }) => violation.exchanges.includes(id));
  const atFault = before.filter(({ id }) => [violation.exchanges[0], ...violation.others].includes(id));
  const steps = [...new Map(atFault.map((one) => [keyOf(one, before), one])).values()];
  /** The same step, about an execution of the same start; about another one if none of that start was asked for. */
  const again = memoize((one: Sent): ReadonlySet<number> => {
    const key = keyOf(one, before);
    const isOfAny = !isLook(one) && !keys.includes(key);
    const those = sent.filter((other, place) => (isOfAny ? stepOf(other) === stepOf(one) : keys[place] === key));
    return new Set(those.map(({ id }) => id));
  });
  const isAt = (one: Sent, ids: readonly number[]) => ids.some((id) => again(one).has(id));
  const findings = second.found.findingsOf?.(rule) ?? [];
  const found = findings.flatMap((one) => {
    if (one.kind !== 'violated') return [];
    const { expected, faults, operation = null } = one;
    const names = faults.map((fault) => nameOf({ operation, signature: signatureOf(expected, fault) }));
    const ids = one.exchanges.slice(0, 1);
    return names.includes(nameOf(violation)) || steps.some((step) => isAt(step, ids)) ? ids : [];
  });
  if (found.length > 0) {
    const sentAgain = steps.filter((one) => again(one).size > 0);
    const share = sentAgain.filter((one) => isAt(one, found)).length / Math.max(1, sentAgain.length);
    const isBoth = wasDisturbed && disturbanceIn(second.evidence.exchanges) !== undefined;
    return isBoth && share < enoughSteps ? { repeated: 'not-repeated', isDisturbed: true } : { repeated: 'reproduced' };
  }
  // What is not declared was sent since something else was refused.
  const isWhole = first.every((one) => !declaredFor(one) || again(one).size > 0);
  const isKept = ({ kind, exchanges: ids }: Finding) => kind === 'satisfied' && steps.some((one) => isAt(one, ids));
  if (isWhole && findings.some(isKept)) return { repeated: 'once-of-two' };
  return { repeated: 'not-repeated', why: whyNot(second, stepsOf(violation.exchanges, before)) };
}

/** Why a pass did not decide on what these requests had shown. */
function whyNot({ ready, session, wanted, course }: Pass, shown: readonly Sent[]): string {
  if (!ready.usable) return `no answers came: ${ready.reason}`;
  const { facts } = session.target;
  const traits = shown.flatMap((one) => traitsOf(one) ?? []);
  if (facts.pool === undefined && traits.some(({ subject }) => subject === 'pool'))
    return 'the pool is gone, and no hooks.makePool makes another';
  const isOfCopies =
    traits.some(({ effect }) => effect === 'copies') || course.halts.some(({ spent }) => spent === 'copies');
  if (isOfCopies && session.copies.existing >= facts.budget.copies)
    return `no copy is left (budget.copies: ${facts.budget.copies})`;
  const start = shown.map(nameOfStep).find((step) => isStarting(step) && !wanted.starts.steps.has(step));
  if (start !== undefined)
    return `no execution is left for ${start} (at most ${mostRepeated}, of budget.executions; none after a wait in vain)`;
  const [halt] = course.halts;
  return halt?.need === undefined && halt ? halt.why.replace(/\.$/, '') : 'no answer to its steps decided it';
}

/** The verdicts of the first pass, with what the second one says of them. `why`: why there was none. */
export function afterBoth(
  first: Pass,
  second: Pass | undefined,
  why = 'the first pass waited for it in vain',
): RuleVerdict[] {
  const disturbed = disturbanceIn(first.evidence.exchanges);
  const before = withNames(first.evidence.exchanges);
  const repeatable = new Set(casesOf(first).flatMap(({ exchanges }) => exchanges[0] ?? []));
  const isOfOthers = ({ exchanges: [id] }: Violation) =>
    first.evidence.exchanges.some((one) => one.id === id && mayBeDisturbed(one));
  return first.found.rules.map((rule) => {
    if (rule.verdict === 'inconclusive') {
      const now = second?.found.rules.find(({ id }) => id === rule.id);
      const isQuiet = second && disturbanceIn(second.evidence.exchanges) === undefined;
      if (now?.verdict === 'passed') return now;
      return now?.verdict === 'violated' && isQuiet
        ? marked(now, () => ({ repeated: 'not-repeated', why: 'the first pass could not decide it' }))
        : rule;
    }
    if (rule.verdict !== 'violated') return rule;
    return marked(
      rule,
      (violation) => {
        if (!second || !repeatable.has(violation.exchanges[0] ?? 0)) return { repeated: 'not-repeated', why };
        const seen = compareWith(second, rule.id, violation, before, disturbed !== undefined);
        const isOnce = seen.repeated === 'once-of-two' || (seen.repeated === 'not-repeated' && isOfOthers(violation));
        return isOnce && disturbed !== undefined ? { ...seen, isDisturbed: true } : seen;
      },
      disturbed,
    );
  });
}

/** The verdict with what came of each violation; inconclusive if each may be due to what disturbed the run. */
function marked(rule: RuleVerdict, compare: (violation: Violation) => Comparison, disturbed = ''): RuleVerdict {
  const all = rule.violations.map((violation) => ({ violation, ...compare(violation) }));
  const violations = all.flatMap(({ violation, repeated, why, isDisturbed }) =>
    isDisturbed ? [] : [{ ...violation, repeated, ...(why !== undefined && { notRepeated: why }) }],
  );
  const [first] = violations;
  if (first) return { ...rule, violations, why: expectation(first), exchanges: first.exchanges };
  const isNot = all[0]?.why === undefined ? 'when it was sent again' : `sent again, since ${all[0].why}`;
  const why = `It was violated, and not ${isNot} (${rule.why}), and the run was disturbed: ${disturbed}. To judge it, run again with --only ${rule.id} when nothing else uses or disturbs the service.`;
  return { ...rule, verdict: 'inconclusive', why, violations: [] };
}
