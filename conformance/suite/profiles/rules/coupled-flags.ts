/** Flags that need another flag to be on, according to an `if` of the contract. */

import { type Coupling, type CouplingRule, couplings } from '../../../../generated/flags.js';
import { accepted, answerBody, requestBody } from '../../../engine/outcome/read.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import type { Judge } from '../../../engine/vocabulary.js';
import { mayChange } from '../settings.js';

/** Seen: a profile with the flag on, or an update that asks for it. Violated if it is on and what it needs is off. */
const coupledJudge = ({ flag, needs }: Coupling): Judge => ({
  exchange(exchange) {
    const profile = exchange.operation === 'updateProfile' && accepted(exchange) ? answerBody(exchange) : undefined;
    if (!profile) return undefined;
    if (profile[flag] === true && profile[needs] === false)
      return violated(exchange, `${flag} only with ${needs}`, 'the one without the other');
    return profile[flag] === true || mayChange(requestBody(exchange) ?? {}, flag) ? satisfied(exchange) : undefined;
  },
});

export const couplingJudges = Object.fromEntries(couplings.map((one) => [one.rule, coupledJudge(one)])) as Readonly<
  Record<CouplingRule, Judge>
>;
