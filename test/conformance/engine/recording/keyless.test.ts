import { expect, test } from 'vitest';
import { withoutQueryValues } from '../../../../conformance/engine/recording/keyless.js';
import '../../../../conformance/suite/contract.js';

const isShown = (name: string) => name === 'limit' || name === 'status';

test.each<[string, { given: string; want: string }]>([
  ['documented parameters', { given: '/a?limit=5&status=running', want: '/a?limit=5&status=running' }],
  ['no other parameter', { given: '/a?limit=5&sig=abc&status=', want: '/a?limit=5&sig=[redacted]&status=' }],
  ['no name without a value', { given: '/a?abc&limit=5', want: '/a?[redacted]&limit=5' }],
  ['no name similar to a documented one', { given: '/a?limits=5', want: '/a?limits=[redacted]' }],
  ['nothing after a #', { given: '/a?limit=5#abc', want: '/a?limit=5' }],
])('the redacted query has %s', (_, { given, want }) => {
  expect(withoutQueryValues(given, isShown)).toBe(want);
});

test('the current contract documents no query parameter', () => {
  expect(withoutQueryValues('/a?order-number=5')).toBe('/a?order-number=[redacted]');
});
