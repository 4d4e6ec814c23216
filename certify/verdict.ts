import { expectation } from '../conformance/engine/rule/violations.js';
import { type CallerRuleId, callers } from '../generated/rules.js';
import type { Played } from './play.js';

export interface CallerVerdict {
  readonly id: CallerRuleId;
  readonly level: 'MUST' | 'SHOULD';
  readonly verdict: 'passed' | 'violated' | 'inconclusive' | 'untested';
  /** The reasons for the verdict, a line each, with the script. */
  readonly why: readonly string[];
}

/** The verdict on each rule for callers, from all scripts that were played. */
export const verdictsOf = (played: readonly Played[]): CallerVerdict[] =>
  callers.map(({ id, level }) => {
    const found = played.flatMap(({ script, findings }) =>
      (findings[id] ?? []).map((finding) => ({ finding, script: script.id })),
    );
    const broken = found.flatMap(({ finding, script }) =>
      finding.kind === 'violated' ? [`${script}: ${expectation(finding)}`] : [],
    );
    if (broken.length > 0) return { id, level, verdict: 'violated', why: [...new Set(broken)] };
    const lacking = played.flatMap(({ script, findings, failure }) => {
      if (!script.rules.includes(id)) return [];
      const own = findings[id] ?? [];
      const doubt = own.find((finding) => finding.kind === 'inconclusive');
      if (doubt) return [`${script.id}: ${doubt.why}`];
      if (own.some(({ kind }) => kind === 'satisfied')) return [];
      const ended = failure === undefined ? '' : ` The caller: ${failure}`;
      return [`${script.id}: nothing was sent that shows it. A good caller: ${script.good}.${ended}`];
    });
    if (lacking.length > 0) return { id, level, verdict: 'inconclusive', why: lacking };
    const isKept = found.some(({ finding }) => finding.kind === 'satisfied');
    return { id, level, verdict: isKept ? 'passed' : 'untested', why: [] };
  });

/** The exit code, as in the suite: 1 if a MUST is broken (or with `strict` a SHOULD), 3 if one could not be judged. */
export function exitCodeOf(verdicts: readonly CallerVerdict[], strict: boolean): 0 | 1 | 3 {
  const counts = ({ level }: CallerVerdict) => strict || level === 'MUST';
  if (verdicts.some((one) => one.verdict === 'violated' && counts(one))) return 1;
  return verdicts.some((one) => one.verdict === 'inconclusive' && counts(one)) ? 3 : 0;
}
