import { expect, test } from 'vitest';
import { urlOf } from '../../../../conformance/engine/http/address.js';

test('a URL with an umlaut stays valid however often it is parsed', () => {
  // From then on V8 has optimized who asks.
  const often = 50_000;
  const hosts = new Set(Array.from({ length: often }, () => urlOf('https://b\u00fccher.example')?.host));
  expect([...hosts]).toEqual(['xn--bcher-kva.example']);
});

test.each(['', 'a path', 'https://', '/agents/v2', 'staging.example.com'])('%j is not a URL', (text) => {
  expect(urlOf(text)).toBeUndefined();
});
