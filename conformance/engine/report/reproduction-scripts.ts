/** Adds to violations the scripts that reproduce them. */
import type { Exchange, RuleVerdict, Violation } from '../vocabulary.js';
import { curlScript } from './curl-script.js';
import { mostRequests, type Past, pastOf, sequenceOf } from './sequence.js';
import { visible } from './text.js';

/** Adds a script to each violation that takes more than one request to reproduce. */
export function withScripts<Id extends string>(
  rules: readonly RuleVerdict<Id>[],
  exchanges: readonly Exchange[],
): RuleVerdict<Id>[] {
  const past = pastOf(exchanges);
  return rules.map((rule) => ({
    ...rule,
    violations: rule.violations.map((violation) => withScript(violation, rule, past)),
  }));
}

function withScript(violation: Violation, { level, id }: RuleVerdict<string>, past: Past): Violation {
  const sequence = sequenceOf(violation, past);
  if (sequence.length < 2 || sequence.length > mostRequests) return violation;
  const { required, seen } = violation;
  const heading = [`${level} ${id}`, `required: ${required}`, `seen: ${seen}`].map(visible);
  return { ...violation, again: curlScript(sequence, violation, heading) };
}
