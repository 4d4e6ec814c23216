/** Baselines: lists of known failures, which do not fail a run. */

import { stringify } from 'yaml';
import { suggestion } from '../../../common/nearest.js';
import { baseline as validate } from '../../../generated/settings.js';
import { contract, type GapId, type OperationId, type RuleId } from '../contract.js';
import { isFields } from '../outcome/read.js';
import { grouped } from '../report/digest.js';
import { expectation, isOutdated, stepOf } from '../rule/violations.js';
import { suite } from '../suite.js';
import type { Report } from '../vocabulary/report.js';
import type { RuleVerdict, Violation } from '../vocabulary.js';
import schema from './baseline.schema.json' with { type: 'json' };
import { longestList, type Mistake, readText } from './file.js';
import { firstMistakes, mistakesBy, parseSettings } from './parse.js';

export interface BaselineEntry {
  readonly rule: RuleId;
  /** Default: any operation. `run`: the violation belongs to no operation. */
  readonly operation?: OperationId | 'run';
  /** Default: any violation of the rule, including ways that come later. */
  readonly signature?: string;
  /** A step that was at fault. The entry is out of date only if a run sends that step and sees no such violation. */
  readonly step?: string;
  /** Default: known to be violated. `inconclusive`: known to be in doubt, at least sometimes. */
  readonly verdict?: 'inconclusive';
  readonly reason: string;
  readonly owner?: string;
  /** The last day on which the entry counts, `2027-01-31`, in UTC. */
  readonly expires?: string;
}

const mistakes = mistakesBy(schema, validate);

const ids = (): readonly string[] => contract().rules.map(({ id }) => id);

/** Reads a baseline: a YAML or JSON list of entries. Throws a SettingsError with every mistake in it. */
export function readBaseline(file: string): readonly BaselineEntry[] {
  return parseBaseline(file, readText(file, longestList));
}

/** Reads the text of a baseline; `name` is its name in errors. Throws a SettingsError with every mistake in it. */
export function parseBaseline(name: string, content: string): readonly BaselineEntry[] {
  const settings = parseSettings(name, content);
  // An empty list is valid, and in YAML an empty file is one.
  const value = settings.value ?? [];
  if (!Array.isArray(value))
    throw settings.error([
      { path: [], text: 'this is not a baseline (a list of rules); workflow-contract baseline prints one.' },
    ]);
  const found = mistakes(value);
  if (found.length === 0) found.push(...firstMistakes(misnamed(value as BaselineEntry[])));
  if (found.length > 0) throw settings.error(found);
  return value as readonly BaselineEntry[];
}

function* misnamed(entries: readonly BaselineEntry[]): Iterable<Mistake> {
  const names = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const { rule, signature, verdict, expires } = entry;
    const name = nameOf(entry);
    if (!ids().includes(rule))
      yield {
        path: [index, 'rule'],
        text: `there is no rule ${rule}; ${suggestion(rule, ids(), '"workflow-contract rules" lists them.')}`,
      };
    else if (names.has(name)) yield { path: [index, 'rule'], text: `${inWords(entry)} is listed twice.` };
    names.add(name);
    if (verdict && signature !== undefined)
      yield { path: [index, 'signature'], text: 'what could not be judged has no signature; take it out.' };
    else if (signature !== undefined && isOutdated(signature))
      yield {
        path: [index, 'signature'],
        text: 'an older version of the suite wrote this baseline; write it anew: workflow-contract baseline REPORT > FILE, with a report of this version.',
      };
    if (expires !== undefined && !isDate(expires))
      yield { path: [index, 'expires'], text: 'expires must be a date such as 2027-01-31.' };
  }
}

const isDate = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.slice(0, 10) === value;

const nameOf = ({ rule, operation, signature, verdict }: BaselineEntry): string =>
  JSON.stringify([rule, operation, signature, verdict]);

/** The rule, and the operation if there is one: `rule on operation`. */
const inWords = ({ rule, operation }: BaselineEntry): string =>
  `${rule}${operation === undefined || operation === 'run' ? '' : ` on ${operation}`}`;

export interface Comparison {
  /** Violations in the baseline are marked as known, and so are rules all of whose violations are. */
  readonly rules: readonly RuleVerdict[];
  /** The entries that expired or no longer match, and why: `terminal-is-final passes now`. Each one fails the run. */
  readonly stale: readonly string[];
  readonly remarks: readonly string[];
}

/** What a run looked at. */
interface Extent {
  readonly steps?: Report['steps'];
  /** Nothing made the run smaller, and it was not stopped. */
  readonly isWhole: boolean;
}

/** Compares verdicts with a baseline. `today` is a date such as `2027-01-31`. Rules without a verdict are ignored. */
export function compareWithBaseline(
  verdicts: readonly RuleVerdict[],
  baseline: readonly BaselineEntry[],
  today: string,
  { steps, isWhole }: Extent = { isWhole: true },
): Comparison {
  const stale: string[] = [];
  const remarks: string[] = [];
  const hold: BaselineEntry[] = [];
  for (const entry of baseline) {
    const verdict = verdicts.find(({ id }) => id === entry.rule);
    if (!verdict) continue;
    const isExpired = entry.expires !== undefined && entry.expires < today;
    if (isExpired) stale.push(`${inWords(entry)} expired on ${entry.expires}`);
    else hold.push(entry);
    const wasSent = entry.step && steps ? steps[entry.step] !== undefined : isWhole;
    const gone = !isExpired && wasSent && outOfDate(entry, verdict);
    const what = verdict.verdict === 'passed' ? entry.rule : inWords(entry);
    if (gone) stale.push(`${what} ${gone}`);
    else if (!isExpired && !knows(entry, verdict))
      remarks.push(
        `The baseline knows ${inWords(entry)} to ${entry.verdict ? 'be in doubt' : 'fail'}; this run ${left(verdict, entry)}.`,
      );
  }
  const isWide = (entry: BaselineEntry) =>
    !entry.signature &&
    !entry.verdict &&
    verdicts.some((verdict) => verdict.id === entry.rule && knows(entry, verdict));
  const wide = [...new Set(hold.filter(isWide).map(({ rule }) => rule))];
  if (wide.length > 0)
    remarks.push(
      `Wide entries of the baseline, without a signature: ${wide.join(', ')}. Whatever breaks these rules from now on is taken as known; workflow-contract baseline writes entries with signatures.`,
    );
  return { rules: verdicts.map((verdict) => marked(verdict, hold)), stale: [...new Set(stale)], remarks };
}

function left({ verdict }: RuleVerdict, entry: BaselineEntry): string {
  if (entry.verdict && verdict === 'passed') return 'saw it hold: where it always does, take the entry out';
  if (verdict === 'passed') return 'did not send what showed it';
  if (verdict === 'violated') return entry.verdict ? 'saw it broken' : 'did not look at that operation';
  return `left it ${verdict}`;
}

const placeOf = ({ operation }: Violation) => operation ?? 'run';

const covers = (entry: BaselineEntry, violation: Violation): boolean =>
  entry.verdict === undefined &&
  (entry.operation ?? placeOf(violation)) === placeOf(violation) &&
  (entry.signature ?? violation.signature) === violation.signature;

/** Whether the run found what the entry is for. */
function knows(entry: BaselineEntry, { verdict, violations }: RuleVerdict): boolean {
  if (entry.verdict) return verdict === entry.verdict;
  return verdict === 'violated' && (isForAll(entry) || violations.some((violation) => covers(entry, violation)));
}

const isForAll = ({ operation, signature }: BaselineEntry): boolean =>
  operation === undefined && signature === undefined;

/** Why an entry is obsolete; undefined if it is not, or if this run does not tell. */
function outOfDate(entry: BaselineEntry, rule: RuleVerdict): string | undefined {
  // A rule that is sometimes in doubt may pass at other times.
  if (entry.verdict) return undefined;
  if (rule.verdict === 'passed') return 'passes now';
  if (rule.verdict !== 'violated' || knows(entry, rule)) return undefined;
  const { operation } = entry;
  const looked =
    operation === undefined || operation === 'run'
      ? rule.observations > 0
      : (rule.operations[operation]?.observations ?? 0) > 0;
  return looked ? `is broken in other ways only, not by "${entry.signature ?? operation}"` : undefined;
}

function marked(rule: RuleVerdict, baseline: readonly BaselineEntry[]): RuleVerdict {
  const entries = baseline.filter((entry) => entry.rule === rule.id);
  if (entries.length === 0) return rule;
  const violations = rule.violations.map((violation): Violation => {
    return entries.some((entry) => covers(entry, violation)) ? { ...violation, known: true } : violation;
  });
  const isKnown =
    (rule.verdict === 'inconclusive' && entries.some(({ verdict }) => verdict === 'inconclusive')) ||
    (rule.verdict === 'violated' &&
      (entries.some((entry) => !entry.verdict && isForAll(entry)) ||
        (violations.length > 0 && violations.every(({ known }) => known))));
  return { ...rule, violations, ...(isKnown && { known: true }) };
}

/** A baseline with every failure of a report, to be edited: with the suite's reasons, and without owners. */
export function baselineText({ rules, exchanges }: Pick<Report, 'rules' | 'exchanges'>): string {
  const entries = rules.flatMap(({ id: rule, verdict, why, violations }): BaselineEntry[] => {
    if (verdict === 'inconclusive') return [{ rule, verdict, reason: why }];
    if (verdict !== 'violated') return [];
    if (violations.length === 0) return [{ rule, reason: why }];
    return violations.map((violation) => {
      const fault = exchanges.find(({ id }) => id === violation.exchanges[0]);
      return {
        rule,
        operation: placeOf(violation),
        signature: violation.signature,
        ...(fault?.step && { step: stepOf(fault) }),
        reason: expectation(violation),
      };
    });
  });
  return `${head}${stringify(entries, { lineWidth: 0 })}`;
}

const head = `# Known failures: workflow-contract check --baseline THIS_FILE
# They are still judged. The run fails on a failure that is not listed, also on another one of a rule that is, and on an
# entry that no longer fails or has expired. One with "verdict: inconclusive" is for a rule that is in doubt on some
# days: it holds on others, until it expires. The signature tells one failure of a rule from the others; a run that
# does not send the step leaves the entry as it is.
# Each may also have an owner, and expires: the last day on which it holds, such as 2027-01-31.
`;

// Pins: observed behaviour where the interface is silent, with which later runs are compared.

export type Pins = { readonly [gap in GapId]?: readonly string[] };

const pinned = (id: GapId, values: readonly string[]): readonly string[] =>
  (suite().certainPart[id]?.(values) ?? values).toSorted();

/** The text of a pin file: gaps in the order of openapi/rules.yaml, sorted observations, no times. */
export function pinText(observed: Report['gaps']): string {
  const byId = new Map(observed.map((gap) => [gap.id, gap.observed]));
  const entries = contract().gaps.flatMap(({ id }) => {
    const values = pinned(id, byId.get(id) ?? []);
    return values.length > 0 ? [[id, values] as const] : [];
  });
  return `${JSON.stringify({ version: 1, gaps: Object.fromEntries(entries) }, null, 2)}\n`;
}

/** Reads a pin file. Throws a SettingsError for another file. Ignores gaps that no longer exist. */
export function readPins(file: string): Pins {
  const settings = parseSettings(file, readText(file, longestList));
  const pins = isFields(settings.value) && settings.value.version === 1 ? settings.value.gaps : undefined;
  if (!isFields(pins) || !Object.values(pins).every(isList))
    throw settings.error([{ path: [], text: 'this is not a pin file; --pin writes one.' }]);
  return Object.fromEntries(contract().gaps.flatMap(({ id }) => (id in pins ? [[id, pins[id]]] : [])));
}

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

export interface PinComparison {
  /** Gaps with different observations in both runs. */
  readonly differences: readonly string[];
  /** Gaps that only one of the runs observed, maybe because it was allowed less. New ones come first. */
  readonly remarks: readonly string[];
}

/** Compares observations with pins. */
export function compareWithPins(observed: Report['gaps'], pins: Pins): PinComparison {
  const differences: string[] = [];
  const fresh: string[] = [];
  const gone: string[] = [];
  for (const { id, observed: seen } of observed) {
    const [now, then] = [pinned(id, seen), pinned(id, pins[id] ?? [])];
    if (now.join('\n') === then.join('\n')) continue;
    if (now.length === 0) gone.push(`Pinned and not observed this time: ${id} (${listed(then)}).`);
    else if (then.length === 0) fresh.push(`Observed and not pinned: ${id} (${listed(now)}).`);
    else differences.push(difference(id, then, now));
  }
  return { differences, remarks: [...fresh, ...gone] };
}

const listed = (values: readonly string[]): string => grouped(values).join(', ');

/** Leaves out what is in both, if enough remains. */
function difference(id: GapId, then: readonly string[], now: readonly string[]): string {
  const [gone, fresh] = [then.filter((value) => !now.includes(value)), now.filter((value) => !then.includes(value))];
  const [before, after] = gone.length > 0 && fresh.length > 0 ? [gone, fresh] : [then, now];
  return `${id} was pinned as ${listed(before)}, and is now ${listed(after)}`;
}
