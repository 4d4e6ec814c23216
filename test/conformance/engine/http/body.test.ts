import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeBody } from '../../../../conformance/engine/http/body.js';

const text = Buffer.from('{"id":1}');
const twice = gzipSync(gzipSync(text));

test.each([
  ['not at all', text, undefined, text],
  ['twice', twice, 'gzip, x-gzip', text],
  ['by a coding that is none, as its text shows', text, 'none', text],
  ['in a way that is not known', twice, 'zstd', { coding: 'zstd', why: 'unknown' }],
  ['otherwise than is said', text, 'br', { coding: 'br', why: 'unreadable' }],
  ['so that it is larger than may be', gzipSync(Buffer.alloc(2000)), 'gzip', { coding: 'gzip', why: 'too-large' }],
])('a body that is packed %s', (_, bytes, encoding, want) => {
  expect(decodeBody(bytes, encoding, 1000)).toEqual(want);
});
