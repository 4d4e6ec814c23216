import { describe, expect, test } from 'vitest';
import { headline } from '../../../../conformance/engine/report/digest.js';
import type { Report } from '../../../../conformance/engine/vocabulary/report.js';
import type { RuleVerdict } from '../../../../conformance/engine/vocabulary.js';
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
const lacking = (...missing: string[]) => verdict({ id: 'metadata-is-recorded', verdict: 'untested', missing });
const unseen = verdict({ id: 'queued-starts-by-itself', verdict: 'untested', why: 'Nothing waited.' });
const broken = verdict({ id: 'status-is-current', verdict: 'violated', violations: [violation()] });
const recommended: RuleVerdict = { ...broken, level: 'SHOULD' };

describe('the headline', () => {
  test.each<[string, Report]>([
    ['Conformant: 2 rules passed.', report('conformant', held, held)],
    ['Conformant: 1 rule passed, 1 untested.', report('conformant', held, unseen)],
    ['No rule broken; 1 of 3 judged.', report('conformant', held, lacking('profile'), lacking('profile'))],
    ['No MUST rule broken; 2 of 3 judged, 1 warning.', report('conformant', held, recommended, lacking('profile'))],
    [
      'No new failures; 2 of 3 judged, 1 known failure.',
      report('conformant', held, { ...broken, known: true }, lacking('profile')),
    ],
    [
      'Nonconformant: 1 rule broken, 1 rule passed, 1 untested.',
      report('nonconformant', held, broken, lacking('profile')),
    ],
    ['Unusable: Nothing was judged.', report('unusable', lacking('profile'))],
  ])('%s', (want, of) => {
    expect(headline(of).line).toBe(want);
  });
});
