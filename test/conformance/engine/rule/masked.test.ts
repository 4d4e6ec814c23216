import { expect, test } from 'vitest';
import { isMasked } from '../../../../conformance/engine/rule/altered.js';

test.each([
  ['***', true],
  ['••••1234', true],
  ['xxxxxxxx-xxxx-xxxx', true],
  ['[REDACTED]', true],
  ['hidden', true],
  ['obfuscated', true],
  // As tools write it that clean a HAR.
  ['[cookie redacted]', true],
  ['<x-api-key: masked>', true],
  ['not hidden', false],
  ['my hidden place', false],
  ['', false],
])('%j is a mask: %s', (text, want) => {
  expect(isMasked(text)).toBe(want);
});
