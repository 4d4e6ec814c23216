import { contract, type RuleId } from '../contract.js';
import { memoize, once } from '../memoize.js';
import { hasRightKey, isExcluded, isProbe, isUnjudged } from '../outcome/mark.js';
import { outcomeOf } from '../outcome/outcome.js';
import { accepted, isMeantToPass, lasting, refused, requestBody } from '../outcome/read.js';
import type { Evidence, Exchange, Facts, Finding, Judge, SameExcept } from '../vocabulary.js';
import { combined, inconclusive, satisfied, violated } from './findings.js';
import { byKey, noAnswer, textOfResponse } from './values.js';

/** Judges probes, requests with one fault. A refusal counts only beside the same request without it, accepted. */
export const probesOf = ({ exchanges }: Evidence, rule: RuleId): readonly Exchange[] =>
  byRule(exchanges).get(rule) ?? [];

/** The requests without the fault that were sent. */
export const controlsOf = ({ exchanges }: Evidence, probe: Exchange): readonly Exchange[] => {
  const controls = probe.mark?.probe?.controls ?? [];
  if ('except' in controls) return alike(exchanges, probe, controls);
  const [first, ...others] = new Set(controls as readonly Step[]);
  const sentAs = (control: Step | undefined) => (control && byStep(exchanges).get(control)) ?? [];
  return others.length === 0 ? sentAs(first) : [first, ...others].flatMap(sentAs).sort((a, b) => a.id - b.id);
};

/** Requests with all fields of the probe except those in `except`, whatever else they have. */
function alike(exchanges: readonly Exchange[], probe: Exchange, { except, otherId }: SameExcept): readonly Exchange[] {
  const shared = Object.keys(requestBody(probe) ?? {}).filter((field) => !except.includes(field));
  const asked = (probe.operation && byOperation(exchanges).get(probe.operation)) || [];
  return asked.filter(
    (one) => (otherId || one.resource === probe.resource) && shared.every((field) => field in (requestBody(one) ?? {})),
  );
}

/** A request without a fault. An unjudged one counts only if it was accepted. */
export const isFaultless = (one: Exchange): boolean =>
  hasRightKey(one) && !isExcluded(one) && !isProbe(one) && (!isUnjudged(one) || accepted(one));

const byOperation = memoize((exchanges: readonly Exchange[]) =>
  byKey(exchanges.filter(isFaultless), ({ operation }) => operation),
);

type Step = `${string}/${string}`;

const byRule = memoize((exchanges: readonly Exchange[]) => byKey(lasting(exchanges), ({ mark }) => mark?.probe?.rule));
const byStep = memoize((exchanges: readonly Exchange[]) =>
  byKey(lasting(exchanges), ({ mark }): Step | undefined => mark && `${mark.scenario}/${mark.step}`),
);

/** Why an answer tells nothing about the request; undefined if it does. */
function mute(exchange: Exchange): string | undefined {
  if (!exchange.response || exchange.failure) return noAnswer(exchange);
  // A refusal counts, whoever gave it.
  const { by } = outcomeOf(exchange);
  if (by !== 'limit' && by !== 'gateway') return undefined;
  return `It was answered ${exchange.response.status}, which says nothing about the request itself.`;
}

/** The finding on a refused probe: inconclusive or none if its control was not accepted or not sent. */
export function comparedWithControl(evidence: Evidence, probe: Exchange): readonly Finding[] {
  const controls = controlsOf(evidence, probe);
  const control = controls.find(accepted);
  if (control) return [satisfied([probe, control])];
  const [first] = controls;
  if (!first) return [];
  const how = refused(first) ? `was refused too (${first.response?.status})` : 'was not accepted';
  return [inconclusive([probe, first], `The control request ${how}, so this rule could not be tested.`)];
}

/** Judges the probes of a rule that got an answer about the request. */
export const judgeProbes = (
  rule: RuleId,
  judge: (probe: Exchange, evidence: Evidence) => Finding | readonly Finding[],
): ((evidence: Evidence) => Finding[]) => {
  return (evidence) =>
    probesOf(evidence, rule).flatMap((probe) => {
      // It was refused for another reason, and another probe was sent.
      if (isUnjudged(probe)) return [];
      const why = mute(probe);
      return why === undefined ? judge(probe, evidence) : inconclusive(probe, why);
    });
};

export const mustRefuse = (exchange: Exchange, fault: string): Finding | undefined => {
  const { response } = exchange;
  if (!response || exchange.failure || response.status >= 400) return undefined;
  const neither = accepted(exchange) ? '' : ', which neither accepts nor refuses';
  return violated(exchange, `a refusal of ${fault}`, `${textOfResponse(response)}${neither}`);
};

/**
 * Judges a request with one fault. Passes if it is refused and its control is accepted; fails if it is accepted. In
 * recordings the request itself must show the fault, which `evident` describes.
 */
export function refusal(rule: RuleId, evident?: (exchange: Exchange, facts: Facts) => string | undefined): Judge {
  const on = once(() => contract().rules.find(({ id }) => id === rule)?.on ?? []);
  return {
    ...(evident && {
      exchange(exchange, facts) {
        const { operation, mark } = exchange;
        if (operation === null || !on().includes(operation) || mark?.probe?.rule === rule || !accepted(exchange))
          return;
        const fault = evident(exchange, facts);
        return fault === undefined ? undefined : mustRefuse(exchange, fault);
      },
    }),
    run: judgeProbes(
      rule,
      (probe, evidence) => mustRefuse(probe, probe.mark?.probe?.fault ?? '') ?? comparedWithControl(evidence, probe),
    ),
  };
}

/** A value at a limit, which must be accepted. */
export interface Bound {
  readonly value: string;
  readonly tries: readonly Exchange[];
  /** An accepted request that differs from the refused one only in this value. */
  beside(refused: Exchange): Exchange | undefined;
}

export function acceptedFinding({ value, tries, beside }: Bound): Finding[] {
  const done = tries.find(accepted);
  if (done) return [satisfied(done)];
  for (const refused of tries.filter((one) => outcomeOf(one).kind === 'refused')) {
    const other = beside(refused);
    if (other) return [violated([refused, other], `${value} to be taken`)];
  }
  return tries
    .slice(0, 1)
    .map((one) =>
      inconclusive(one, outcomeOf(one).why ?? `${value} was refused, and nothing tells whether for its own sake.`),
    );
}

/**
 * Judges values on both sides of a limit. Passes if those outside are refused and the bound itself is accepted;
 * fails if a value is treated otherwise for its own sake.
 */
export const bounded = (
  rule: RuleId,
  outside: (exchange: Exchange) => string | undefined,
  bounds: (ours: readonly Exchange[], facts: Facts, evidence: Evidence) => readonly Bound[],
): Judge =>
  combined(refusal(rule, outside), {
    run: (evidence, facts) =>
      bounds(evidence.exchanges.filter(isMeantToPass), facts, evidence).flatMap(acceptedFinding),
  });
