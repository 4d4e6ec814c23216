import { expect, test } from 'vitest';
import { causesOf } from '../../../../conformance/engine/rule/violations.js';
import type { RuleVerdict, Violation } from '../../../../conformance/engine/vocabulary/report.js';
import { exchange, ids, type Sketch } from '../../../support/evidence.js';
import { verdict } from '../../../support/verdicts.js';
import { violation } from '../../../support/violations.js';

/** Broken rules by name, each with what shows it. */
const broken = (given: { readonly [rule: string]: readonly Partial<Violation>[] }): RuleVerdict<string>[] =>
  Object.entries(given).map(([id, ways]) => ({
    ...verdict({ id: 'status-is-current', verdict: 'violated' }),
    id,
    violations: ways.map((way) => violation({ signature: id, actual: 'no', ...way })),
  }));

const read = (id: number, more: Partial<Sketch> = {}) =>
  exchange({ id, operation: 'getExecution', status: 200, body: { id: ids.execution }, ...more });

const told = (rules: RuleVerdict<string>[], exchanges = [read(1), read(2), read(3), read(4)]) =>
  causesOf(rules, exchanges).map(({ what, rules: all }) => `${what}: ${all.join(' ')}`);

test('rules that one exchange violates have one cause, and the cause with most rules is first', () => {
  const rules = broken({
    alone: [{ exchanges: [1] }],
    a: [{ exchanges: [2] }],
    b: [{ exchanges: [3, 2] }],
    c: [{ exchanges: [4], others: [2] }],
  });
  expect(told(rules, [read(1, { status: 404 }), read(2), read(3), read(4)])).toEqual([
    '#2, getExecution answered 200: a b c',
    ': alone',
  ]);
  expect(causesOf(rules, [])[0]).toMatchObject({ exchanges: [2, 3, 4] });
});

test.each<[what: string, rules: RuleVerdict<string>[], exchanges: Parameters<typeof told>[1], want: string[]]>([
  [
    'the actual values are equal except for ids and numbers',
    broken({
      a: [{ exchanges: [1], actual: '404 with a body that is no JSON: "<p>1"' }],
      b: [{ exchanges: [2], actual: '500 with a body that is no JSON: "<p>22"' }],
    }),
    undefined,
    ['“… with a body that is no JSON: …”: a b'],
  ],
  [
    'both concern one field of the answer',
    broken({
      a: [{ exchanges: [1], signature: 'createdAt not in the future' }],
      b: [{ exchanges: [2], signature: 'the body of it: /createdAt format' }],
    }),
    [read(1, { body: { createdAt: 'x' } }), read(2, { body: { createdAt: 'y' } })],
    ['the field createdAt: a b'],
  ],
  [
    'three concern refusals of one operation with one status',
    broken({ a: [{ exchanges: [1] }], b: [{ exchanges: [2] }], c: [{ exchanges: [3] }] }),
    [read(1, { status: 404 }), read(2, { status: 404 }), read(3, { status: 404 })],
    ['answers 404 of getExecution: a b c'],
  ],
])('rules have one cause if %s', (_, rules, exchanges, want) => {
  expect(told(rules, exchanges)).toEqual(want);
});

test.each<[what: string, rules: RuleVerdict<string>[]]>([
  [
    'a common word',
    broken({ a: [{ exchanges: [1], signature: 'the id' }], b: [{ exchanges: [2], signature: 'no id' }] }),
  ],
  ['short values', broken({ a: [{ exchanges: [1], actual: '200' }], b: [{ exchanges: [2], actual: '200' }] })],
  ['an operation with two violated rules', broken({ a: [{ exchanges: [1] }], b: [{ exchanges: [2] }] })],
])('rules do not have one cause because of %s', (_, rules) => {
  expect(told(rules)).toEqual([': a', ': b']);
});

test('for an operation with many judged rules, few violated ones have no common cause, and many have', () => {
  const all = Array.from({ length: 20 }, (_, n) => `rule-${n}`);
  const judged = (count: number) =>
    broken(Object.fromEntries(all.map((id, n) => [id, n < count ? [{ exchanges: [n + 1] }] : []]))).map((rule) => ({
      ...rule,
      operations: { getExecution: { observations: 1, violations: 0 } },
    }));
  const exchanges = all.map((_, n) => read(n + 1));
  expect(told(judged(4), exchanges)).toHaveLength(4);
  expect(told(judged(5), exchanges)).toEqual([`answers 200 of getExecution: ${all.slice(0, 5).join(' ')}`]);
});

test('a violation in the baseline has no cause', () => {
  expect(told(broken({ a: [{ exchanges: [1], known: true }], b: [{ exchanges: [1] }] }))).toEqual([': b']);
});
