import { describe, expect, test } from 'vitest';
import { headline } from '../../../../conformance/engine/report/digest.js';
import type { Report, RuleVerdict } from '../../../../conformance/engine/vocabulary/report.js';
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
    ['Conformant: 2 of 2 rules judged, none violated.', report('conformant', held, held)],
    ['Conformant so far: 1 of 2 rules judged, none violated.', report('conformant', held, unseen)],
    [
      'Conformant so far: 1 of 3 rules judged, none violated.',
      report('conformant', held, lacking('profile'), lacking('profile')),
    ],
    [
      'Conformant so far: 2 of 3 rules judged, no MUST violated, 1 warning.',
      report('conformant', held, recommended, lacking('profile')),
    ],
    [
      'Conformant so far: 2 of 3 rules judged, no new failure, 1 known failure.',
      report('conformant', held, { ...broken, known: true }, lacking('profile')),
    ],
    [
      'Nonconformant: 1 rule violated, 1 rule passed, 1 untested.',
      report('nonconformant', held, broken, lacking('profile')),
    ],
    [
      'Conformant: 1 of 1 rule judged, none violated, 2 of 9 states not exercised.',
      { ...report('conformant', held), statesNotSeen: ['paused', 'failed'] },
    ],
    [
      'Baseline out of date: terminal-is-final passes now. Remove its entry. 1 rule passed.',
      { ...report('nonconformant', held), stale: ['terminal-is-final passes now'] },
    ],
    [
      'Nonconformant: 1 rule violated, 1 rule passed. Baseline out of date: a passes now; b expired on 2027-01-31. Remove their entries.',
      { ...report('nonconformant', held, broken), stale: ['a passes now', 'b expired on 2027-01-31'] },
    ],
    ['Unusable: Nothing was judged.', report('unusable', lacking('profile'))],
  ])('%s', (want, of) => {
    expect(headline(of).line).toBe(want);
  });
});
