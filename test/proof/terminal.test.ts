import { expect, it } from 'vitest';
import { faults } from '../../deviations/index.js';
import { rules } from '../../generated/rules.js';
import type { Proof } from '../../proof/prove.js';
import { foundLines, priceText, standing, summary } from '../../proof/terminal.js';

/** As it is where every fault violates what it declares. */
const proof: Proof = {
  trials: faults.map(({ id, breaks }) => ({
    id,
    breaks,
    outcome: { rules: breaks.map((rule) => ({ id: rule, verdict: 'violated', why: '' })) },
  })),
  variations: [],
  asFrozen: { found: 767, of: 768, differences: ['two violates nothing now.'], problems: [] },
  inconclusive: {
    surroundings: [{ id: 'limited', rules: [{ id: 'queue-is-oldest-first', verdict: 'inconclusive', why: 'Late.' }] }],
    ruleCount: 1,
    faults: ['three'],
    problems: [],
  },
  problems: [],
};

it('the price of a rule is how many faults violate it and are needed, how many variants declare it, and its lines', () => {
  const untested = {
    id: 'one',
    usual: false,
    untested: ['missing-key-is-401', 'queue-is-oldest-first'],
    outcome: { rules: [] },
  } as const;
  const text = priceText({ ...proof, variations: [untested] }, new Map([['missing-key-is-401', 12]]));
  const missingKey = faults.filter(({ breaks }) => breaks.includes('missing-key-is-401')).length;
  const byVariants = new Map([['one', ['missing-key-is-401']]]);
  expect(priceText({ ...proof, variations: [untested] }, new Map(), byVariants)).toMatch(
    new RegExp(`^missing-key-is-401 +${missingKey} +\\d+ +1 +1 +0$`, 'm'),
  );
  // Nothing is known of steps: two faults are enough for each check.
  expect(text).toMatch(new RegExp(`^missing-key-is-401 +${missingKey} +\\d+ +1 +12$`, 'm'));
  const [, needed = 0] = /^(\d+) of \d+ faults are needed/m.exec(text) ?? [];
  expect(Number(needed)).toBeGreaterThanOrEqual(rules.length);
  expect(Number(needed)).toBeLessThan(faults.length);
});

it('the summary counts the cases that were tried, and the problems', () => {
  expect(summary(proof)).toMatch(
    new RegExp(`^${faults.length} faults\\b.*each of the ${rules.length} rules can fail and can hold\\.$`),
  );
  expect(summary({ ...proof, problems: ['One.'] })).toMatch(/ 1 problem\.$/);
  expect(summary({ ...proof, trials: proof.trials.slice(0, 1) })).toBe('1 fault, 0 variants: as declared.');
});

it('the standing counts the faults that are found as frozen and the inconclusive rules, and names both', () => {
  expect(standing(proof)).toBe(
    [
      '767 of 768 faults as frozen.',
      '  two violates nothing now.',
      '1 of 0 surroundings with an inconclusive rule, 1 rule in all.',
      '  limited: queue-is-oldest-first: Late.',
      '1 fault inconclusive instead of violated.',
      '  three',
    ].join('\n'),
  );
});

it('the list of results has one line for each service', () => {
  const rules = [
    { id: 'queue-is-oldest-first', verdict: 'untested', why: '' },
    { id: 'terminal-is-final', verdict: 'violated', why: '' },
  ] as const;
  const variations = [
    { id: 'default', usual: true, outcome: { rules: [] } },
    { id: 'odd', usual: false, outcome: { rules } },
  ];
  const trials = [{ id: 'wrong', breaks: ['terminal-is-final'] as const, outcome: { rules } }];
  expect(foundLines({ ...proof, variations, trials })).toBe(
    [
      'default leaves all rules passed',
      'odd leaves violated terminal-is-final, untested queue-is-oldest-first',
      'wrong violates terminal-is-final',
    ].join('\n'),
  );
});
