import { isReadRequest, isStartRequest, isWaitingStart, requestFields } from '../conformance/engine/outcome/read.js';
import { equal, pathOf } from '../conformance/engine/rule/values.js';
import { expectation } from '../conformance/engine/rule/violations.js';
import type { Exchange, Finding } from '../conformance/engine/vocabulary.js';
import { type CallerRuleId, callers } from '../generated/rules.js';
import type { Played } from './play.js';
import type { Script } from './script.js';

export interface CallerVerdict {
  readonly id: CallerRuleId;
  readonly level: 'MUST' | 'SHOULD';
  readonly verdict: 'passed' | 'violated' | 'inconclusive' | 'untested';
  /** The reasons for the verdict, a line each, with the script and the requests. */
  readonly why: readonly string[];
}

/** The verdict on each rule for callers, from all scripts that were played. */
export function verdictsOf(played: readonly Played[]): CallerVerdict[] {
  const usesRequests = played.some(({ script, exchanges }) => exchanges.some((one) => hasFieldOf(script, one)));
  return callers.map(({ id, level }) => {
    const isOpen = ({ script }: Played) => script.rests === id && !usesRequests;
    const found = played.flatMap((one) =>
      isOpen(one) ? [] : (one.findings[id] ?? []).map((finding) => ({ one, finding })),
    );
    const reasons = (wanted: Finding['kind']) =>
      grouped(found.filter(({ finding }) => finding.kind === wanted).map(({ one, finding }) => reasonOf(one, finding)));
    const silent = played
      .filter((one) => one.script.rules.includes(id) && !found.some((other) => other.one === one))
      .map((one) => ({ one, did: isOpen(one) ? ownBody : otherJob(one) }));
    const lacking = silent.flatMap(({ one: { script, failure, exchanges }, did }) => {
      const ended = failure === undefined ? '' : ` The command failed: ${failure}`;
      return did === undefined && (exchanges.length === 0 || found.length === 0)
        ? [`${script.id}: no request of the command shows it. A good caller: ${script.good}.${ended}`]
        : [];
    });
    const [broken, doubts] = [reasons('violated'), [...reasons('inconclusive'), ...lacking]];
    if (broken.length > 0) return { id, level, verdict: 'violated', why: broken };
    if (doubts.length > 0) return { id, level, verdict: 'inconclusive', why: doubts };
    if (found.length > 0) return { id, level, verdict: 'passed', why: [] };
    const why = silent.flatMap(({ one, did }) => (did === undefined ? [] : [`${one.script.id}: ${did}.`]));
    return {
      id,
      level,
      verdict: 'untested',
      why: why.length > 0 ? why : ['no situation for this rule was played (--script).'],
    };
  });
}

/** Whether a start has a field that the script gave to the caller. */
const hasFieldOf = ({ request = {} }: Script, one: Exchange): boolean =>
  isStartRequest(one) && Object.entries(request).some(([name, value]) => equal(value, { ...requestFields(one) }[name]));

const ownBody = 'the command has a body of its own for its starts, whatever CERTIFY_REQUEST is';

const jobOf = (one: Exchange): Script['job'] =>
  isWaitingStart(one) ? 'sync' : isStartRequest(one) ? 'async' : 'profile';

/** What a caller did that chose another job, such as another kind of start; undefined if it did its job, or nothing. */
function otherJob({ script, exchanges }: Played): string | undefined {
  const acts = exchanges.filter((one) => one.operation !== null && !isReadRequest(one));
  if (acts.length === 0 || acts.some((one) => jobOf(one) === script.job)) return undefined;
  const operations = [...new Set(acts.map(({ operation }) => operation))].join(' and ');
  return `CERTIFY_JOB was ${script.job}, and the command called ${operations}`;
}

interface Reason {
  readonly script: string;
  readonly operation: string;
  readonly request: string;
  readonly says: string;
}

function reasonOf({ script, exchanges }: Played, finding: Finding): Reason {
  const shown = exchanges.filter(({ id }) => finding.exchanges.includes(id));
  const requests = shown.map(({ id, request: { method, url } }) => `request ${id}, ${method} ${pathOf(url)}`);
  return {
    script: script.id,
    operation: [...new Set(shown.map(({ operation }) => operation))].join(' and '),
    request: requests.join('; '),
    says: finding.kind === 'violated' ? expectation(finding) : finding.kind === 'inconclusive' ? finding.why : '',
  };
}

/** A line for each reason. What many requests of a script show alike is one line, with the first of them. */
function grouped(reasons: readonly Reason[]): string[] {
  const groups = new Map<string, Reason[]>();
  for (const reason of reasons) {
    const name = `${reason.script}: ${reason.operation} ${reason.says}`;
    groups.set(name, [...(groups.get(name) ?? []), reason]);
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const more = others.length > 0 ? `; and ${others.length} more` : '';
    return `${first.script}: ${first.operation} (${first.request}${more}): ${first.says}`;
  });
}

/** The exit code, as in the suite: 1 if a MUST is broken (or with `strict` a SHOULD), 3 if one could not be judged. */
export function exitCodeOf(verdicts: readonly CallerVerdict[], strict: boolean): 0 | 1 | 3 {
  const counts = ({ level }: CallerVerdict) => strict || level === 'MUST';
  if (verdicts.some((one) => one.verdict === 'violated' && counts(one))) return 1;
  return verdicts.some((one) => one.verdict === 'inconclusive' && counts(one)) ? 3 : 0;
}
