import type { Session } from './drive/session.js';
import { begun } from './evidence/body.js';
import { gather } from './evidence/evidence.js';
import { maskOf, noMask } from './evidence/mask.js';
import type { Run } from './run.js';

/** A target can make a list as long as it likes. */
const mostListed = 100;
const atMost = (all: readonly string[]): readonly string[] =>
  all.length > mostListed ? [...all.slice(0, mostListed), `and ${all.length - mostListed} more`] : all;

/** The run as it may be shown. Everything has been judged as it came. */
export function withoutSecrets(run: Run, { redactor, failedWaits }: Session, showValues: boolean): Run {
  const mask = showValues ? noMask : maskOf(run.evidence.exchanges);
  const clean = <T>(value: T): T => redactor.value(mask.texts(value));
  const exchanges = run.evidence.exchanges.map((exchange) => {
    const { request, response, failure, ...rest } = mask.exchange(exchange);
    return {
      ...rest,
      request: redactor.value(request),
      ...(response && { response: redactor.value({ ...response, body: begun(response.body) }) }),
      ...(failure && { failure: redactor.value(failure) }),
    };
  });
  return {
    ...run,
    evidence: gather(exchanges, failedWaits),
    preflight: clean(run.preflight),
    rules: run.rules.map((rule) => ({ ...rule, why: clean(rule.why), violations: clean(rule.violations) })),
    gaps: run.gaps.map((gap) => ({ ...gap, observed: clean(atMost(gap.observed)) })),
    transitions: clean(run.transitions.slice(0, mostListed)),
    leftBehind: clean(run.leftBehind),
    remarks: clean(run.remarks),
  };
}
