import { stringify } from 'yaml';
import { type RuleId, rules } from '../../generated/rules.js';
import type { RuleVerdict } from '../vocabulary.js';
import { type Mistake, parseSettings, readText } from './file.js';
import { mistakesBy } from './mistakes.js';
import { nearest } from './nearest.js';

/** A failure that is known, and need not fail a run. */
export interface BaselineEntry {
  readonly rule: RuleId;
  readonly reason: string;
  readonly owner?: string;
  /** The last day on which it holds, `2027-01-31`, in UTC. */
  readonly expires?: string;
}

const text = { type: 'string', minLength: 1 };
const mistakes = mistakesBy({
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['rule', 'reason'],
    properties: { rule: text, reason: text, owner: text, expires: text },
  },
});

const ids: readonly string[] = rules.map(({ id }) => id);

/** Reads a baseline: a YAML or JSON list of entries. Throws a SettingsError that tells every mistake in it. */
export function readBaseline(file: string): readonly BaselineEntry[] {
  return parseBaseline(file, readText(file));
}

export function parseBaseline(name: string, content: string): readonly BaselineEntry[] {
  const settings = parseSettings(name, content);
  // A list with nothing in it is no mistake, and in YAML it need not be written.
  const value = settings.value ?? [];
  if (!Array.isArray(value))
    throw settings.error([
      { path: [], text: 'this is no baseline, a list of rules; workflow-contract baseline prints one.' },
    ]);
  const found = mistakes(value);
  if (found.length === 0) found.push(...misnamed(value as BaselineEntry[]));
  if (found.length > 0) throw settings.error(found);
  return value as readonly BaselineEntry[];
}

function* misnamed(entries: readonly BaselineEntry[]): Iterable<Mistake> {
  for (const [index, { rule, expires }] of entries.entries()) {
    const meant = nearest(rule, ids);
    if (!ids.includes(rule))
      yield {
        path: [index, 'rule'],
        text: `there is no rule ${rule}; ${meant ? `did you mean ${meant}?` : '"workflow-contract rules" lists them.'}`,
      };
    else if (entries.findIndex((entry) => entry.rule === rule) < index)
      yield { path: [index, 'rule'], text: `${rule} is listed twice.` };
    if (expires !== undefined && !isDate(expires))
      yield { path: [index, 'expires'], text: 'expires must be a date such as 2027-01-31.' };
  }
}

const isDate = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.slice(0, 10) === value;

/** What a baseline makes of verdicts. */
export interface Comparison {
  /** Those that the baseline knows to fail, and still may, are marked as known. */
  readonly rules: readonly RuleVerdict[];
  /** Entries to take out: they have expired, or their rule no longer fails. Each fails the run. */
  readonly stale: readonly string[];
  readonly remarks: readonly string[];
}

/** Holds verdicts against a baseline. `today` is a date such as `2027-01-31`. An entry for a rule without verdict is left alone. */
export function compareWithBaseline(
  verdicts: readonly RuleVerdict[],
  baseline: readonly BaselineEntry[],
  today: string,
): Comparison {
  const stale: string[] = [];
  const remarks: string[] = [];
  const entries = new Map(baseline.map((entry) => [entry.rule, entry]));
  const rules = verdicts.map((verdict): RuleVerdict => {
    const entry = entries.get(verdict.id);
    if (!entry) return verdict;
    const expired = entry.expires !== undefined && entry.expires < today;
    if (expired) stale.push(`the baseline's entry for ${verdict.id} expired on ${entry.expires}`);
    else if (verdict.verdict === 'passed')
      stale.push(`the baseline's entry for ${verdict.id} is out of date: it passes now, so take it out`);
    else if (verdict.verdict !== 'violated')
      remarks.push(`The baseline knows ${verdict.id} to fail; this run left it ${verdict.verdict}.`);
    return verdict.verdict === 'violated' && !expired ? { ...verdict, known: true } : verdict;
  });
  return { rules, stale, remarks };
}

/** A baseline that knows every failure among these verdicts, to be edited: reasons are the suite's, owners are missing. */
export function baselineText(verdicts: readonly RuleVerdict[]): string {
  const entries = verdicts
    .filter(({ verdict }) => verdict === 'violated')
    .map(({ id, why }): BaselineEntry => ({ rule: id, reason: why }));
  return `${head}${stringify(entries, { lineWidth: 0 })}`;
}

const head = `# Known failures: workflow-contract check --baseline THIS_FILE
# They are still judged. The run fails on a failure that is not listed, and on an entry that no longer fails or has expired.
# Each may also have an owner, and expires: the last day on which it holds, such as 2027-01-31.
`;
