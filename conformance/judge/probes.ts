/** A probe is a request with exactly one fault. Its refusal counts only beside the same request, accepted. */
import { type Rule, type RuleId, rules } from '../../generated/rules.js';
import { accepted, refused } from '../evidence/read.js';
import type { Evidence, Exchange, Facts, Finding, Judge } from '../vocabulary.js';
import { ownAnswer } from './answers.js';
import { broken, kept, unclear } from './findings.js';
import { noAnswer, seen } from './words.js';

export const probesOf = ({ exchanges }: Evidence, rule: RuleId): Exchange[] =>
  exchanges.filter(({ mark }) => mark?.probe?.rule === rule && !mark.superseded);

/** The requests without the fault, as far as they were sent. */
export const twinsOf = ({ exchanges }: Evidence, probe: Exchange): Exchange[] =>
  exchanges.filter(
    ({ mark }) => mark && !mark.superseded && probe.mark?.probe?.twins.includes(`${mark.journey}/${mark.step}`),
  );

/** Why an answer tells nothing of the request; undefined where it does. */
function mute(exchange: Exchange): string | undefined {
  if (!exchange.response || exchange.failure) return noAnswer(exchange);
  if (ownAnswer(exchange)) return undefined;
  return `It was answered ${exchange.response.status}, which tells nothing of the request itself.`;
}

/** What the refusal of a request tells, which is nothing while the request without the fault is not accepted. */
export function besideTwin(evidence: Evidence, probe: Exchange): Finding {
  const twins = twinsOf(evidence, probe);
  const twin = twins.find(accepted);
  if (twin) return kept([probe, twin]);
  const [first] = twins;
  if (!first) return unclear(probe, 'The same request without the fault was not sent, so the refusal tells nothing.');
  const how = refused(first) ? `was refused too (${first.response?.status})` : 'was not accepted';
  return unclear([probe, first], `The same request without the fault ${how}, so the refusal tells nothing.`);
}

/** Judges the probes of a rule that were answered at all. */
export const judgeProbes = (
  rule: RuleId,
  judge: (probe: Exchange, evidence: Evidence) => Finding | readonly Finding[],
): ((evidence: Evidence) => Finding[]) => {
  return (evidence) =>
    probesOf(evidence, rule).flatMap((probe) => {
      const why = mute(probe);
      return why === undefined ? judge(probe, evidence) : unclear(probe, why);
    });
};

export const mustRefuse = (exchange: Exchange, fault: string): Finding | undefined => {
  const { response } = exchange;
  if (!response || exchange.failure || response.status >= 400) return undefined;
  const neither = accepted(exchange) ? '' : ', which neither accepts nor refuses';
  return broken(exchange, `a refusal of ${fault}`, `${seen(response)}${neither}`);
};

/**
 * Judges that a fault is refused: by probes, and on recordings where the request alone shows the fault and was accepted
 * all the same. `evident` names such a fault.
 */
export function refusal(
  rule: RuleId,
  evident: (exchange: Exchange, facts: Facts) => string | undefined = () => undefined,
): Judge {
  const { on }: Rule = rules.find(({ id }) => id === rule) ?? rules[0];
  return {
    exchange(exchange, facts) {
      if (exchange.mark?.probe?.rule === rule || !accepted(exchange)) return;
      const fault = exchange.operation && on.includes(exchange.operation) ? evident(exchange, facts) : undefined;
      return fault === undefined ? undefined : mustRefuse(exchange, fault);
    },
    run: judgeProbes(
      rule,
      (probe, evidence) => mustRefuse(probe, probe.mark?.probe?.fault ?? '') ?? besideTwin(evidence, probe),
    ),
  };
}
