import { expect, test } from 'vitest';
import { baselineText, compareWithBaseline, parseBaseline } from '../../conformance/engine/settings/baseline.js';
import type { RuleVerdict } from '../../conformance/engine/vocabulary/report.js';
import { findFault } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';

const signaturesOf = (rules: readonly RuleVerdict[]): string[] =>
  rules
    .flatMap(({ id, violations }) => violations.map(({ operation, signature }) => `${id} ${operation} ${signature}`))
    .sort();

/** What violates a rule by some values of free fields, or by some invalid values. */
test.each([
  'inputs-lose-accents',
  'inputs-lose-what-is-empty',
  'inputs-come-back-bold',
  'metadata-keeps-three-pairs',
  'updates-ignore-names-of-numbers',
  'updates-ignore-extensions-behind-the-first',
  'updates-ignore-cookies-behind-the-first',
  'ignores-soft-timeout-fractions',
])(
  'the violations of %s have the same signatures with every seed, and those of one run are a baseline for all',
  async (id) => {
    const fault = findFault(id);
    const seeds = [1, 2, 3, 4, 5];
    const nights: (readonly RuleVerdict[])[] = [];
    for (const seed of seeds) {
      const selected = (rule: { readonly id: RuleVerdict['id'] }) => fault.breaks.includes(rule.id);
      nights.push((await checkInProcess({ faults: [fault] }, { seed, selected })).rules);
    }
    const [first = []] = nights;
    expect(signaturesOf(first)).not.toEqual([]);
    expect(nights.map(signaturesOf)).toEqual(seeds.map(() => signaturesOf(first)));
    const baseline = parseBaseline('baseline.yaml', baselineText({ rules: first, exchanges: [] }));
    for (const rules of nights) {
      const compared = compareWithBaseline(rules, baseline, '2026-01-01');
      expect(compared.stale).toEqual([]);
      expect(compared.rules.filter(({ verdict, known }) => verdict === 'violated' && !known)).toEqual([]);
    }
  },
);
