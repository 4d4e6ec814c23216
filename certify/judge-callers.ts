/** Judges the callers of a reference service by the rules for callers. */

import '../conformance/suite/contract.js';
import { nearest } from '../common/nearest.js';
import { isFields } from '../common/values.js';
import { parseBody } from '../conformance/engine/http/body.js';
import { EntryReader } from '../conformance/engine/recording/entry.js';
import { RecordingPipeline } from '../conformance/engine/recording/pipeline.js';
import { unknownTarget } from '../conformance/suite/target/target.js';
import { operations } from '../generated/operations.js';
import { type CallerRule, type CallerRuleId, callers } from '../generated/rules.js';
import type { Judged, Kept, UnknownField } from '../reference/requests.js';

/** Judges the requests by the rules for callers. */
export function judge(kept: readonly Kept[]): Judged {
  const reader = new EntryReader();
  // Requests are numbered instead of timed: a start counts as not followed as soon as another request was sent after
  // it.
  const course = new RecordingPipeline(unknownTarget, () => false, { patienceMs: 1 });
  for (const [index, one] of kept.entries()) course.add(reader.read(lineOf(one, index), index));
  const { callers: verdicts, exchanges } = course.finish();
  const places = new Map(exchanges.map(({ id, at }) => [id, at]));
  const named = (wanted: 'passed' | 'other') =>
    verdicts.filter(({ verdict }) => verdict !== 'violated' && (verdict === 'passed') === (wanted === 'passed'));
  return {
    broken: verdicts
      .flatMap(({ id, level, violations }) =>
        violations.map(({ expected, actual, count, exchanges }) => ({
          ...{ rule: id, level, says: ruleOf(id).says, expected, actual, count },
          places: exchanges.flatMap((number) => places.get(number) ?? []),
        })),
      )
      .sort(({ places: [a = 0] }, { places: [b = 0] }) => a - b),
    kept: named('passed').map(({ id }) => id),
    untested: named('other').map(({ id }) => id),
    unknownFields: unknownFieldsOf(kept),
  };
}

function unknownFieldsOf(kept: readonly Kept[]): UnknownField[] {
  const found = new Map<string, UnknownField>();
  for (const { seen } of kept) {
    const { operation, body } = seen;
    if (!operation || !isFields(body)) continue;
    const known: readonly string[] = operations[operation].requestFields;
    for (const field of Object.keys(body).filter((name) => !known.includes(name))) {
      const meant = nearest(field, known);
      found.set(`${operation} ${field}`, { operation, field, ...(meant !== undefined && { meant }) });
    }
  }
  return [...found.values()];
}

/** Writes a request as a line of a recording. Its number takes the place of its time, to keep the order. */
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
