import type { RuleVerdict } from '../../conformance/engine/vocabulary/report.js';

/** The verdict on a rule, in short form. */
export const verdict = (sketch: Pick<RuleVerdict, 'id' | 'verdict'> & Partial<RuleVerdict>): RuleVerdict => ({
  level: 'MUST',
  observations: sketch.verdict === 'passed' || sketch.verdict === 'violated' ? 1 : 0,
  why: sketch.verdict === 'passed' ? '' : 'because',
  exchanges: [],
  violations: [],
  operations: {},
  ...sketch,
});
