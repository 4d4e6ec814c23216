/** Turns verdicts on rules, and the demands of the user, into the verdict of the run. */
import { type BaselineEntry, compareWithBaseline } from '../settings/baseline.js';
import { SettingsError } from '../settings/file.js';
import { compareWithPins, type Pins } from '../settings/pins.js';
import type { Preflight, Report } from '../vocabulary/report.js';
import type { RuleVerdict } from '../vocabulary.js';
import { judgedOf } from './violations.js';

export interface Demands {
  /** A broken SHOULD, or a difference from the pins, fails the run too. */
  readonly strict?: boolean;
  /** An untested rule makes the run incomplete. */
  readonly requireAll?: boolean;
  /** Fewer judged rules make the run incomplete: `60`, or `50%` of those that apply to the target. */
  readonly minJudged?: string;
  readonly baseline?: readonly BaselineEntry[];
  readonly pins?: Pins;
  /** A date such as `2027-01-31`, in UTC, against which expiry dates in the baseline are compared. */
  readonly today: string;
}

/** The verdict of a run, with `exitCode` as in docs/check.md. The reason adds to the numbers of the summary. */
export interface Conclusion extends Pick<Report, 'verdict' | 'reason' | 'rules' | 'stale' | 'remarks' | 'sincePins'> {
  readonly exitCode: 0 | 1 | 3 | 4;
}

export interface Outcome {
  readonly preflight: Preflight;
  readonly rules: readonly RuleVerdict[];
  readonly gaps: Report['gaps'];
  readonly steps?: Report['steps'];
  /** The options that made the run smaller than the target file. */
  readonly smaller?: readonly string[];
  /** Why the run ended early: "the run was stopped before its end". */
  readonly stopped?: string;
}

/** Precedence: unusable, nonconformant, incomplete, conformant. */
export function conclude(outcome: Outcome, demands: Demands): Conclusion {
  const { preflight, gaps, stopped } = outcome;
  // A run that was stopped during the preflight says nothing about the target.
  if (!preflight.usable && stopped === undefined)
    return { verdict: 'unusable', exitCode: 4, reason: preflight.reason, rules: outcome.rules, remarks: [] };

  const { steps, smaller } = outcome;
  const { rules, stale, remarks } = compareWithBaseline(outcome.rules, demands.baseline ?? [], demands.today, {
    ...(steps && { steps }),
    isWhole: !smaller && stopped === undefined,
  });
  const pinned = demands.pins && compareWithPins(gaps, demands.pins);
  const differences = pinned?.differences ?? [];
  const common = {
    rules,
    remarks,
    ...(stale.length > 0 && { stale }),
    ...(pinned && { sincePins: [...differences.map((text) => `${text}.`), ...pinned.remarks] }),
  };

  const { strict = false, requireAll = false } = demands;
  const of = (wanted: RuleVerdict['verdict']) => rules.filter(({ verdict }) => verdict === wanted);
  const broken = of('violated').filter(({ known, level }) => !known && (strict || level === 'MUST'));
  const faults = strict && differences.length > 0 ? [`not as pinned (--strict): ${differences.join('; ')}`] : [];
  if (broken.length + stale.length + faults.length > 0)
    return { ...common, verdict: 'nonconformant', exitCode: 1, reason: sentence(faults) };

  const omissions = [
    ...(stopped === undefined ? [] : [stopped]),
    ...(requireAll && of('untested').length > 0 ? ['every rule was to be judged (--require-all)'] : []),
    ...tooFew(rules, demands.minJudged),
    ...(judgedOf(rules) === 0 ? ['no rule was judged'] : []),
  ];
  // An inconclusive rule counts only if its violation would fail the run.
  const unclear = of('inconclusive').filter(({ known, level }) => !known && (strict || level === 'MUST'));
  if (unclear.length + omissions.length > 0)
    return { ...common, verdict: 'incomplete', exitCode: 3, reason: sentence(omissions) };
  return { ...common, verdict: 'conformant', exitCode: 0, reason: '' };
}

function tooFew(rules: readonly RuleVerdict[], least: string | undefined): string[] {
  if (least === undefined) return [];
  if (!/^\d+%?$/.test(least))
    throw new SettingsError('conclude', [
      `minJudged is a number of rules or a share, such as 60 or 50%, and not ${JSON.stringify(least)}.`,
    ]);
  const all = rules.filter(({ verdict }) => verdict !== 'not-applicable').length;
  const wanted = least.endsWith('%') ? Math.ceil((all * Number(least.slice(0, -1))) / 100) : Number(least);
  const judged = judgedOf(rules);
  return judged < wanted
    ? [`${judged} of ${all} rules were judged, and ${wanted} were to be (--min-judged ${least})`]
    : [];
}

function sentence(parts: readonly string[]): string {
  const text = parts.join('; ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
