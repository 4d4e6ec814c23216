import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeBody } from '../../../../conformance/engine/http/body.js';

const text = Buffer.from('{"id":1}');
const twice = gzipSync(gzipSync(text));

test.each([
  ['without a coding', text, undefined, text],
  ['twice', twice, 'gzip, x-gzip', text],
  ['with a wrong coding, as its text reveals', text, 'none', text],
  ['with an unknown coding', twice, 'zstd', { coding: 'zstd', why: 'unknown' }],
  ['with another coding than stated', text, 'br', { coding: 'br', why: 'unreadable' }],
  ['with a decoded size over the limit', gzipSync(Buffer.alloc(2000)), 'gzip', { coding: 'gzip', why: 'too-large' }],
])('a body is decoded, or refused with the reason: %s', (_, bytes, encoding, want) => {
  expect(decodeBody(bytes, encoding, 1000)).toEqual(want);
});
