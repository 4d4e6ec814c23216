import type { Violation } from '../../conformance/engine/vocabulary/report.js';

/** A violation that was seen once, in short form. */
export const violation = (sketch: Partial<Violation> = {}): Violation => ({
  signature: sketch.expected ?? 'a refusal',
  expected: 'a refusal',
  actual: '202',
  operation: null,
  count: 1,
  exchanges: [],
  others: [],
  ...sketch,
});
