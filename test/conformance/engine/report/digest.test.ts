import { describe, expect, test } from 'vitest';
import { headline } from '../../../../conformance/engine/report/digest.js';
import type { Report, RuleVerdict } from '../../../../conformance/engine/vocabulary.js';
import { sampleReport } from '../../../support/report.js';
import { verdict } from '../../../support/verdicts.js';
import { violation } from '../../../support/violations.js';

const sample = sampleReport();
const report = (verdictOf: Report['verdict'], ...rules: RuleVerdict[]): Report => ({
  ...sample,
  verdict: verdictOf,
  rules,
});
const held = verdict({ id: 'terminal-is-final', verdict: 'passed' });
const lacking = (...missing: string[]) => verdict({ id: 'pool-is-deleted', verdict: 'untested', missing });
const unseen = verdict({ id: 'files-appear', verdict: 'untested', why: 'The target showed no file.' });
const broken = verdict({ id: 'update-applies', verdict: 'violated', violations: [violation()] });
const recommended: RuleVerdict = { ...broken, level: 'SHOULD' };

describe('the headline', () => {
  test.each<[string, Report]>([
    ['Conformant: 2 rules passed.', report('conformant', held, held)],
    ['Conformant: 1 rule passed, 1 untested.', report('conformant', held, unseen)],
    ['No rule broken; 1 of 3 judged.', report('conformant', held, lacking('pool'), lacking('pool'))],
    ['No MUST rule broken; 2 of 3 judged, 1 warning.', report('conformant', held, recommended, lacking('pool'))],
    [
      'No new failures; 2 of 3 judged, 1 known failure.',
      report('conformant', held, { ...broken, known: true }, lacking('pool')),
    ],
    [
      'Nonconformant: 1 rule broken, 1 rule passed, 1 untested.',
      report('nonconformant', held, broken, lacking('pool')),
    ],
    ['Unusable: Nothing was judged.', report('unusable', lacking('pool'))],
  ])('%s', (want, of) => {
    expect(headline(of).line).toBe(want);
  });
});
