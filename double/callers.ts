import '../conformance/suite/contract.js';
import { parseBody } from '../conformance/engine/http/body.js';
import { Course } from '../conformance/engine/recording/course.js';
import { EntryReader } from '../conformance/engine/recording/entry.js';
import { unknownTarget } from '../conformance/suite/target/target.js';
import { type CallerRule, type CallerRuleId, callers } from '../generated/rules.js';
import type { Kept, ReceivedRequest } from './requests.js';

/** One way in which callers broke a rule of theirs, however often. */
export interface BrokenCallerRule {
  readonly rule: CallerRuleId;
  readonly level: 'MUST' | 'SHOULD';
  /** What the rule asks for. */
  readonly says: string;
  readonly required: string;
  readonly seen: string;
  readonly count: number;
  /** What shows it, the one at fault first. */
  readonly requests: readonly ReceivedRequest[];
}

/** How callers kept what the interface asks of them. */
export interface CallersVerdict {
  /** Empty where they did. */
  readonly broken: readonly BrokenCallerRule[];
  readonly kept: readonly CallerRuleId[];
  /** Nothing was sent that could have broken these. */
  readonly untested: readonly CallerRuleId[];
}

/** Judges what callers sent by the rules for callers. */
export function judge(kept: readonly Kept[]): CallersVerdict {
  const reader = new EntryReader();
  // Their numbers stand for the time: whoever sent something later has not followed it.
  const course = new Course(unknownTarget, () => false, { patienceMs: 1 });
  for (const [index, one] of kept.entries()) course.take(reader.read(lineOf(one, index), index));
  const { callers: verdicts, exchanges } = course.finish();
  const requests = new Map(exchanges.map(({ id, at }) => [id, kept[at]?.seen]));
  const named = (wanted: 'passed' | 'other') =>
    verdicts.filter(({ verdict }) => verdict !== 'violated' && (verdict === 'passed') === (wanted === 'passed'));
  return {
    broken: verdicts.flatMap(({ id, level, violations }) =>
      violations.map(({ required, seen, count, exchanges }) => ({
        rule: id,
        level,
        says: ruleOf(id).says,
        required,
        seen,
        count,
        requests: exchanges.flatMap((number) => requests.get(number) ?? []),
      })),
    ),
    kept: named('passed').map(({ id }) => id),
    untested: named('other').map(({ id }) => id),
  };
}

/** As the suite writes exchanges down. Its number stands for the time: what it shows is put in order by that. */
const lineOf = ({ seen, sent, answered }: Kept, number: number) => ({
  at: number,
  request: { method: seen.method, url: seen.url, headers: seen.headers, body: parseBody(sent) },
  ...(answered && {
    response: { status: answered.status, headers: answered.headers, body: parseBody(answered.text) },
  }),
});

const rules = new Map<CallerRuleId, CallerRule>(callers.map((rule) => [rule.id, rule]));

function ruleOf(id: CallerRuleId): CallerRule {
  const rule = rules.get(id);
  if (!rule) throw new Error(`There is no rule ${id}.`);
  return rule;
}
