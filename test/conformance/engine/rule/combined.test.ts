import { expect, test } from 'vitest';
import { combined, satisfied, violated } from '../../../../conformance/engine/rule/findings.js';
import { withEarlier, withFirst } from '../../../../conformance/engine/rule/values.js';
import { findings } from '../../../../conformance/engine/rule/verdicts.js';
import { gather } from '../../../../conformance/suite/views.js';
import { exchange, facts, ids } from '../../../support/evidence.js';

const evidence = gather([exchange({ operation: 'getExecution', resource: ids.execution })]);

test('a rule with several judges has the findings of all', () => {
  const judge = combined(
    { exchange: (one) => satisfied(one) },
    { exchange: (one) => [violated(one, 'more'), violated(one, 'most')] },
    { trace: () => undefined, run: ({ exchanges }) => satisfied(exchanges) },
  );
  expect(findings(judge, evidence, facts()).map(({ kind }) => kind)).toEqual([
    'satisfied',
    'violated',
    'violated',
    'satisfied',
  ]);
});

test('a combined judge has only the parts of its judges', () => {
  expect(Object.keys(combined({ run: () => undefined }, { run: () => undefined }))).toEqual(['run']);
});

test('each item is compared with the first, and with the earliest similar one', () => {
  expect(withFirst([1, 2, 3])).toEqual([
    [2, 1],
    [3, 1],
  ]);
  expect(withFirst([])).toEqual([]);
  const isLike = (a: string, b: string) => a[0] === b[0];
  expect(withEarlier(['ab', 'cd', 'ae', 'af'], isLike)).toEqual([
    ['ae', 'ab'],
    ['af', 'ab'],
  ]);
});
