/** Baselines: lists of known failures, which do not fail a run. */

import { stringify } from 'yaml';
import { suggestion } from '../../../common/nearest.js';
import { baseline as validate } from '../../../generated/settings.js';
import { contract, type GapId, type OperationId, type RuleId } from '../contract.js';
import { isFields } from '../outcome/read.js';
import { grouped } from '../report/digest.js';
import { expectation, stepOf } from '../rule/violations.js';
import { suite } from '../suite.js';
import type { Report, RuleVerdict, Violation } from '../vocabulary/report.js';
import schema from './baseline.schema.json' with { type: 'json' };
import { longestList, type Mistake, readText } from './file.js';
import { firstMistakes, mistakesBy, parseSettings } from './parse.js';

/** A known failure, or a rule that is known to be inconclusive at times. */
export type BaselineEntry = {
  readonly rule: RuleId;
  /** A step that was at fault. The entry is out of date only if a run sends that step and sees no such violation. */
  readonly step?: string;
  readonly reason: string;
  readonly owner?: string;
  /** The last day on which the entry counts, `2027-01-31`, in UTC. */
  readonly expires?: string;
} & (
  | {
      /** `run`: the violation belongs to no operation. */
      readonly operation: OperationId | 'run';
      readonly signature: string;
      readonly verdict?: never;
    }
  | { readonly verdict: 'inconclusive' }
);

const mistakes = mistakesBy(schema, validate);

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
      { path: [], text: 'not a list of rules; "npx workflow-execution-contract baseline report.json" prints it.' },
    ]);
  const found = mistakes(value);
  if (found.length === 0) found.push(...firstMistakes(unknownRules(value as BaselineEntry[])));
  const inEntry = ({ path, text }: Mistake) => {
    const [at] = path;
    const rule = value[Number(at)]?.rule;
    return { path, text: rule === undefined ? text : `${rule}: ${text.replaceAll(`[${at}].`, '')}` };
  };
  if (found.length > 0) throw settings.error(found.map(inEntry));
  return value as readonly BaselineEntry[];
}

function* unknownRules(entries: readonly BaselineEntry[]): Iterable<Mistake> {
  const ids = contract().rules.map(({ id }) => id);
  for (const [index, { rule }] of entries.entries()) {
    const remedy = suggestion(rule, ids, '"npx workflow-execution-contract rules" lists them.');
    if (!ids.includes(rule)) yield { path: [index, 'rule'], text: `there is no such rule; ${remedy}` };
  }
}

/** The rule, and the operation if there is one: `rule on operation`. */
const inWords = (entry: BaselineEntry): string =>
  entry.verdict || entry.operation === 'run' ? entry.rule : `${entry.rule} on ${entry.operation}`;

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
    const rule = verdicts.find(({ id }) => id === entry.rule);
    if (!rule) continue;
    if (entry.expires !== undefined && entry.expires < today) {
      stale.push(`${inWords(entry)} expired on ${entry.expires}`);
      continue;
    }
    hold.push(entry);
    const wasSent = entry.step && steps ? steps[entry.step] !== undefined : isWhole;
    const gone = wasSent ? outOfDate(entry, rule) : undefined;
    if (gone !== undefined) stale.push(gone);
    else if (!isSeen(entry, rule))
      remarks.push(
        `An entry of the baseline stays, although this run did not see it: ${inWords(entry)} (${rule.verdict}).`,
      );
  }
  return { rules: verdicts.map((rule) => marked(rule, hold)), stale: [...new Set(stale)], remarks };
}

const placeOf = ({ operation }: Violation) => operation ?? 'run';

const covers = (entry: BaselineEntry, violation: Violation): boolean =>
  !entry.verdict && entry.operation === placeOf(violation) && entry.signature === violation.signature;

/** Whether the run found what the entry is for. */
const isSeen = (entry: BaselineEntry, { verdict, violations }: RuleVerdict): boolean =>
  entry.verdict ? verdict === entry.verdict : violations.some((violation) => covers(entry, violation));

/** Why an entry is obsolete; undefined if it is not, or if this run does not show it. */
function outOfDate(entry: BaselineEntry, rule: RuleVerdict): string | undefined {
  // A rule that is inconclusive at times may pass at others.
  if (entry.verdict || isSeen(entry, rule)) return undefined;
  if (rule.verdict === 'passed') return `${rule.id} passes now`;
  const { observations } = entry.operation === 'run' ? rule : (rule.operations[entry.operation] ?? { observations: 0 });
  return rule.verdict === 'violated' && observations > 0
    ? `${inWords(entry)} is violated in other ways only, not by "${entry.signature}"`
    : undefined;
}

function marked(rule: RuleVerdict, baseline: readonly BaselineEntry[]): RuleVerdict {
  const entries = baseline.filter((entry) => entry.rule === rule.id);
  if (entries.length === 0) return rule;
  const violations = rule.violations.map(
    (violation): Violation =>
      entries.some((entry) => covers(entry, violation)) ? { ...violation, known: true } : violation,
  );
  const isKnown =
    rule.verdict === 'violated'
      ? violations.length > 0 && violations.every(({ known }) => known)
      : entries.some(({ verdict }) => verdict === rule.verdict);
  return { ...rule, violations, ...(isKnown && { known: true }) };
}

/** A baseline with every failure of a report, to be edited: with the suite's reasons, and without owners. */
export function baselineText({ rules, exchanges }: Pick<Report, 'rules' | 'exchanges'>): string {
  const entries = rules.flatMap(({ id: rule, verdict, why, violations }): BaselineEntry[] => {
    if (verdict === 'inconclusive') return [{ rule, verdict, reason: why }];
    if (verdict !== 'violated') return [];
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

const head = `# Known failures: npx workflow-execution-contract check --baseline THIS_FILE
# They are still judged. The run fails on a failure that is not listed, also on another one of a rule that is, and on an
# entry that no longer fails or has expired. One with "verdict: inconclusive" is for a rule that is inconclusive on some
# days: it stays on others, until it expires. The signature tells one failure of a rule from the others; a run that
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

interface PinComparison {
  /** Gaps of which something was observed that is not pinned, though others of its observations are. */
  readonly differences: readonly string[];
  /** What only one of the runs observed, maybe because it was allowed less. New ones come first. */
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
    const lacking = then.filter((one) => !now.includes(one));
    if (now.every((one) => then.includes(one)))
      gone.push(`Pinned and not observed this time: ${id} (${listed(lacking)}).`);
    else if (then.length === 0) fresh.push(`Observed and not pinned: ${id} (${listed(now)}).`);
    else differences.push(`${id} was pinned as ${listed(then)}, and is now ${listed(now)}`);
  }
  return { differences, remarks: [...fresh, ...gone] };
}

const listed = (values: readonly string[]): string => grouped(values).join(', ');
