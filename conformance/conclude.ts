import { type BaselineEntry, compareWithBaseline } from './baseline.js';
import type { Preflight } from './drive/preflight.js';
import { compareWithPins, type Pins } from './pins.js';
import type { Report, RuleVerdict } from './vocabulary.js';

/** How much a user demands of a run. */
export interface Demands {
  /** A SHOULD that is broken fails the run too, and so does a difference from the pins. */
  readonly strict?: boolean;
  /** A rule that stays untested leaves the run incomplete. */
  readonly requireAll?: boolean;
  readonly baseline?: readonly BaselineEntry[];
  readonly pins?: Pins;
  /** Such as `2027-01-31`, in UTC: what the baseline's entries expire by. */
  readonly today: string;
}

/** What a run came to; `exitCode` as in conformance.md. */
export interface Conclusion extends Pick<Report, 'verdict' | 'reason' | 'rules' | 'remarks'> {
  readonly exitCode: 0 | 1 | 3 | 4;
}

/** What there is to conclude from. */
export interface Outcome {
  readonly preflight: Preflight;
  readonly rules: readonly RuleVerdict[];
  readonly gaps: Report['gaps'];
  /** The run was stopped before its end. */
  readonly stopped?: boolean;
}

/** Adds a run up: unusable before broken, broken before incomplete, incomplete before conformant. */
export function conclude(outcome: Outcome, demands: Demands): Conclusion {
  const { preflight, gaps, stopped = false } = outcome;
  if (!preflight.usable)
    return { verdict: 'unusable', exitCode: 4, reason: preflight.reason, rules: outcome.rules, remarks: [] };

  const { rules, stale, remarks } = compareWithBaseline(outcome.rules, demands.baseline ?? [], demands.today);
  const pinned = demands.pins ? compareWithPins(gaps, demands.pins) : { differences: [], remarks: [] };
  const common = { rules, remarks: [...stale.map(sentence), ...remarks, ...pinned.differences, ...pinned.remarks] };

  const broken = failures(rules, stale, pinned.differences, demands.strict ?? false);
  if (broken.length > 0)
    return { ...common, verdict: 'nonconformant', exitCode: 1, reason: sentence(broken.join('; ')) };
  const missing = omissions(rules, stopped, demands.requireAll ?? false);
  if (missing.length > 0)
    return { ...common, verdict: 'incomplete', exitCode: 3, reason: sentence(missing.join('; ')) };
  const known = rules.filter((rule) => rule.known);
  const reason = known.length > 0 ? `The baseline knows ${counted(known, 'failure')}.` : '';
  return { ...common, verdict: 'conformant', exitCode: 0, reason };
}

/** Each a reason to fail. */
function failures(
  rules: readonly RuleVerdict[],
  stale: readonly string[],
  differences: readonly string[],
  strict: boolean,
): string[] {
  const unknown = rules.filter(({ verdict, known }) => verdict === 'violated' && !known);
  const musts = unknown.filter(({ level }) => level === 'MUST');
  const shoulds = unknown.filter(({ level }) => level === 'SHOULD');
  return [
    ...(musts.length > 0 ? [`${counted(musts, 'rule')} broken`] : []),
    ...(strict && shoulds.length > 0 ? [`${counted(shoulds, 'recommendation')} broken (--strict)`] : []),
    ...stale,
    ...(strict && differences.length > 0
      ? [`${counted(differences, 'gap')} filled in another way than pinned (--strict)`]
      : []),
  ];
}

/** Each a reason to call the run incomplete. */
function omissions(rules: readonly RuleVerdict[], stopped: boolean, requireAll: boolean): string[] {
  const of = (wanted: RuleVerdict['verdict']) => rules.filter(({ verdict }) => verdict === wanted);
  const judged = of('passed').length + of('violated').length;
  return [
    ...(stopped ? ['the run was stopped before its end'] : []),
    ...(of('inconclusive').length > 0 ? [`${counted(of('inconclusive'), 'rule')} could not be judged`] : []),
    ...(requireAll && of('untested').length > 0 ? [`${counted(of('untested'), 'rule')} untested (--require-all)`] : []),
    ...(judged === 0 ? ['no rule was judged'] : []),
  ];
}

/** How many of the rules came to which verdict; a violated SHOULD is a warning. */
export function summarize(rules: readonly Pick<RuleVerdict, 'level' | 'verdict'>[]): Report['summary'] {
  const count = (wanted: RuleVerdict['verdict'], level?: RuleVerdict['level']) =>
    rules.filter((rule) => rule.verdict === wanted && (level === undefined || rule.level === level)).length;
  return {
    passed: count('passed'),
    violated: count('violated', 'MUST'),
    warned: count('violated', 'SHOULD'),
    untested: count('untested'),
    notApplicable: count('not-applicable'),
    inconclusive: count('inconclusive'),
  };
}

const counted = ({ length }: { length: number }, noun: string): string => `${length} ${noun}${length === 1 ? '' : 's'}`;
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
