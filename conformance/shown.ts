/** Redacts a run and limits its lists, after it has been judged. */
import { bodyExcerpt } from './engine/http/body.js';
import { mapTexts, signedUrlMask } from './engine/http/redact.js';
import { memoizeText } from './engine/memoize.js';
import type { Run } from './engine/vocabulary/report.js';
import type { Body } from './engine/vocabulary.js';
import { maskOf, noMask } from './suite/profiles/mask.js';
import type { Session } from './suite/session.js';
import { gather } from './suite/views.js';

/** A target may return lists of any length. */
const mostListed = 100;
const atMost = (all: readonly string[]): readonly string[] =>
  all.length > mostListed ? [...all.slice(0, mostListed), `and ${all.length - mostListed} more`] : all;

export function withoutSecrets(run: Run, { redactor, failedWaits }: Session, showValues: boolean): Run {
  const mask = showValues ? noMask : maskOf(run.evidence.exchanges);
  const signed = showValues ? (plain: string) => plain : signedUrlMask();
  const text = memoizeText((plain) => signed(redactor.text(mask.text(plain))));
  const clean = <T>(value: T): T => mapTexts(value, text) as T;
  const shown = (body: Body): Body => {
    if (body.kind === 'json') return bodyExcerpt({ ...body, value: clean(mask.inPlace(body.value)) });
    return body.kind === 'not-json' ? { ...body, text: clean(body.text), error: clean(body.error) } : body;
  };
  // Profile values are in bodies. The same text in a URL or a header is a coincidence.
  const around = <T extends { readonly body: Body }>({ body, ...rest }: T) => ({
    ...(mapTexts(redactor.value(rest), signed) as typeof rest),
    body: shown(body),
  });
  const exchanges = run.evidence.exchanges.map(({ request, response, failure, ...rest }) => ({
    ...rest,
    request: around(request),
    ...(response && { response: around(response) }),
    ...(failure && { failure: mapTexts(redactor.value(failure), signed) as typeof failure }),
  }));
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
