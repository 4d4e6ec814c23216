import { expect, test } from 'vitest';
import { placeOf } from '../../../../conformance/engine/settings/file.js';

test.each([
  ['http://localhost:4010', 'http://127.0.0.1:4010'],
  ['http://[::1]:4010', 'http://127.0.0.1:4010'],
  ['HTTPS://Staging.Example.com:443/', 'https://staging.example.com'],
  ['https://staging.example.com/api//', 'https://staging.example.com/api'],
  ['https://b\u00fccher.example', 'https://xn--bcher-kva.example'],
])('%s is the place %s', (url, place) => {
  expect(placeOf(url)).toBe(place);
});

test.each([
  ['http://localhost:4010', 'http://localhost:4011'],
  ['http://localhost:4010', 'https://localhost:4010'],
  ['https://a.example/one', 'https://a.example/two'],
  ['http://a.localhost', 'http://b.localhost'],
  ['http://127.0.0.1', 'http://127.0.0.2'],
])('%s and %s are two places', (one, other) => {
  expect(placeOf(one)).not.toBe(placeOf(other));
});
