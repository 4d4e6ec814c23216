import { type CallerRuleId, callers } from '../generated/rules.js';
import type { Played } from './play.js';

export interface CallerVerdict {
  readonly id: CallerRuleId;
  readonly level: 'MUST' | 'SHOULD';
  readonly verdict: 'passed' | 'violated' | 'inconclusive' | 'untested';
  /** What shows it, or what is lacking; one line each, with the script. */
  readonly why: readonly string[];
}

/** The verdict on each rule for callers, from what a caller did in all situations. */
export const verdictsOf = (played: readonly Played[]): CallerVerdict[] =>
  callers.map(({ id, level }) => {
    const found = played.flatMap(({ script, findings }) =>
      (findings[id] ?? []).map((finding) => ({ finding, script: script.id })),
    );
    const broken = found.flatMap(({ finding, script }) =>
      finding.kind === 'violated' ? [`${script}: required ${finding.required}; seen ${finding.seen}`] : [],
    );
    if (broken.length > 0) return { id, level, verdict: 'violated', why: [...new Set(broken)] };
    const lacking = played.flatMap(({ script, findings, failure }) => {
      if (!script.rules.includes(id)) return [];
      const own = findings[id] ?? [];
      const doubt = own.find((finding) => finding.kind === 'inconclusive');
      if (doubt) return [`${script.id}: ${doubt.why}`];
      if (own.some(({ kind }) => kind === 'satisfied')) return [];
      return [`${script.id}: nothing was sent that shows it.${failure === undefined ? '' : ` The caller: ${failure}`}`];
    });
    if (lacking.length > 0) return { id, level, verdict: 'inconclusive', why: lacking };
    const isKept = found.some(({ finding }) => finding.kind === 'satisfied');
    return { id, level, verdict: isKept ? 'passed' : 'untested', why: [] };
  });

/** As the suite's: 1 where a MUST is broken (or a SHOULD, when strict), 3 where something could not be found out. */
export function exitCodeOf(verdicts: readonly CallerVerdict[], strict: boolean): 0 | 1 | 3 {
  const counts = ({ level }: CallerVerdict) => strict || level === 'MUST';
  if (verdicts.some((one) => one.verdict === 'violated' && counts(one))) return 1;
  return verdicts.some((one) => one.verdict === 'inconclusive' && counts(one)) ? 3 : 0;
}
