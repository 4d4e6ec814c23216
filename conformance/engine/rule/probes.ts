import { contract, type RuleId } from '../contract.js';
import { memoize, once } from '../memoize.js';
import { outcomeOf } from '../outcome/outcome.js';
import { accepted, isMeantToPass, refused, sent } from '../outcome/read.js';
import type { Alike, Evidence, Exchange, Facts, Finding, Judge } from '../vocabulary.js';
import { inconclusive, satisfied, violated } from './findings.js';
import { byKey } from './items-by-key.js';
import { together } from './together.js';
import { noAnswer, seen } from './words.js';

/** A probe is a request with exactly one fault. Its refusal counts only beside the same request, accepted. */

export const probesOf = ({ exchanges }: Evidence, rule: RuleId): readonly Exchange[] =>
  byRule(exchanges).get(rule) ?? [];

/** The requests without the fault, as far as they were sent. */
export const twinsOf = ({ exchanges }: Evidence, probe: Exchange): readonly Exchange[] => {
  const twins = probe.mark?.probe?.twins ?? [];
  if ('but' in twins) return alike(exchanges, probe, twins);
  const [first, ...others] = new Set(twins as readonly Step[]);
  const sentAs = (twin: Step | undefined) => (twin && byStep(exchanges).get(twin)) ?? [];
  return others.length === 0 ? sentAs(first) : [first, ...others].flatMap(sentAs).sort((a, b) => a.id - b.id);
};

/** Whoever asks for all that a probe does but the fault, whatever else it asks for, and why. */
function alike(exchanges: readonly Exchange[], probe: Exchange, { but, elsewhere }: Alike): readonly Exchange[] {
  const shared = Object.keys(sent(probe) ?? {}).filter((field) => !but.includes(field));
  const asked = (probe.operation && byOperation(exchanges).get(probe.operation)) || [];
  return asked.filter(
    (one) => (elsewhere || one.resource === probe.resource) && shared.every((field) => field in (sent(one) ?? {})),
  );
}

/** A request that is meant to be accepted, or was all the same. */
export const isFaultless = (one: Exchange): boolean =>
  one.mark?.credential === 'primary' &&
  !one.mark.retried &&
  one.mark.probe === undefined &&
  one.mark.sequence === undefined &&
  (!one.mark.unjudged || accepted(one));

const byOperation = memoize((exchanges: readonly Exchange[]) =>
  byKey(exchanges.filter(isFaultless), ({ operation }) => operation),
);

/** A journey and one of its steps. */
type Step = `${string}/${string}`;

/** What was not sent again. */
const lasting = (exchanges: readonly Exchange[]) => exchanges.filter(({ mark }) => !mark?.retried);
const byRule = memoize((exchanges: readonly Exchange[]) => byKey(lasting(exchanges), ({ mark }) => mark?.probe?.rule));
const byStep = memoize((exchanges: readonly Exchange[]) =>
  byKey(lasting(exchanges), ({ mark }): Step | undefined => mark && `${mark.journey}/${mark.step}`),
);

/** Why an answer tells nothing of the request; undefined where it does. */
function mute(exchange: Exchange): string | undefined {
  if (!exchange.response || exchange.failure) return noAnswer(exchange);
  // Whoever refused it, it was refused.
  const { by } = outcomeOf(exchange);
  if (by !== 'limit' && by !== 'gateway') return undefined;
  return `It was answered ${exchange.response.status}, which says nothing about the request itself.`;
}

/** What the refusal of a request tells, which is nothing while the request without the fault is not sent, or not accepted. */
export function besideTwin(evidence: Evidence, probe: Exchange): readonly Finding[] {
  const twins = twinsOf(evidence, probe);
  const twin = twins.find(accepted);
  if (twin) return [satisfied([probe, twin])];
  const [first] = twins;
  if (!first) return [];
  const how = refused(first) ? `was refused too (${first.response?.status})` : 'was not accepted';
  return [inconclusive([probe, first], `The same request without the fault ${how}, so the refusal proves nothing.`)];
}

/** Judges the probes of a rule that were answered at all. */
export const judgeProbes = (
  rule: RuleId,
  judge: (probe: Exchange, evidence: Evidence) => Finding | readonly Finding[],
): ((evidence: Evidence) => Finding[]) => {
  return (evidence) =>
    probesOf(evidence, rule).flatMap((probe) => {
      // Refused for what else it lacks; another one was sent.
      if (probe.mark?.unjudged) return [];
      const why = mute(probe);
      return why === undefined ? judge(probe, evidence) : inconclusive(probe, why);
    });
};

export const mustRefuse = (exchange: Exchange, fault: string): Finding | undefined => {
  const { response } = exchange;
  if (!response || exchange.failure || response.status >= 400) return undefined;
  const neither = accepted(exchange) ? '' : ', which neither accepts nor refuses';
  return violated(exchange, `a refusal of ${fault}`, `${seen(response)}${neither}`);
};

/**
 * Seen: a request with one fault. Satisfied where it is refused and the same without the fault is accepted; violated where it is
 * accepted. On recordings the request alone has to show the fault, which `evident` names.
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
      (probe, evidence) => mustRefuse(probe, probe.mark?.probe?.fault ?? '') ?? besideTwin(evidence, probe),
    ),
  };
}

/** Limits that are judged from both sides: what is outside is refused, the bound itself is taken. */

/** A value that must be taken. */
export interface Bound {
  readonly value: string;
  /** The requests that sent it. */
  readonly tries: readonly Exchange[];
  /** A request that was accepted and differs from a refused one in nothing that matters beside the value. */
  beside(refused: Exchange): Exchange | undefined;
}

export function taken({ value, tries, beside }: Bound): Finding[] {
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
 * Seen: values on both sides of a limit. Satisfied where what is outside is refused and the bound itself taken; violated where it
 * is otherwise for the sake of that value.
 */
export const bounded = (
  rule: RuleId,
  outside: (exchange: Exchange) => string | undefined,
  bounds: (ours: readonly Exchange[], facts: Facts) => readonly Bound[],
): Judge =>
  together(refusal(rule, outside), {
    run: ({ exchanges }, facts) => bounds(exchanges.filter(isMeantToPass), facts).flatMap(taken),
  });
