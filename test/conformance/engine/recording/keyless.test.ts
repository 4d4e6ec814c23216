import { expect, test } from 'vitest';
import { contract, describe } from '../../../../conformance/engine/contract.js';
import { Redactor } from '../../../../conformance/engine/http/redact.js';
import { withoutKeys, withoutQueryValues } from '../../../../conformance/engine/recording/keyless.js';
import '../../../../conformance/suite/contract.js';

const isShown = (name: string) => name === 'limit' || name === 'status';

test.each<[string, { given: string; want: string }]>([
  ['what the contract declares', { given: '/a?limit=5&status=running', want: '/a?limit=5&status=running' }],
  ['nothing else', { given: '/a?limit=5&sig=abc&status=', want: '/a?limit=5&sig=[redacted]&status=' }],
  ['no name that stands alone', { given: '/a?abc&limit=5', want: '/a?[redacted]&limit=5' }],
  ['no name that is nearly declared', { given: '/a?limits=5', want: '/a?limits=[redacted]' }],
  ['nothing after a #', { given: '/a?limit=5#abc', want: '/a?limit=5' }],
])('of a query is kept %s', (_, { given, want }) => {
  expect(withoutQueryValues(given, isShown)).toBe(want);
});

test('the contract of today declares no query', () => {
  expect(withoutQueryValues('/a?order-number=5')).toBe('/a?order-number=[redacted]');
});

test('of a header is kept what the contract declares', () => {
  const today = contract();
  const execute = {
    ...today.operations.execute,
    headerParameters: [{ name: 'X-Order-Number', required: false, sample: 'order-7' }],
  };
  const given = { 'x-order-number': 'order-7', 'x-session': 'abc' };
  expect(withoutKeys(given, new Redactor([])).headers).toEqual({
    'x-order-number': '[redacted]',
    'x-session': '[redacted]',
  });
  describe({ ...today, operations: { ...today.operations, execute } });
  try {
    expect(withoutKeys(given, new Redactor([])).headers).toEqual({
      'x-order-number': 'order-7',
      'x-session': '[redacted]',
    });
  } finally {
    describe(today);
  }
});
