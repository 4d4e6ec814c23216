import { describe, expect, test } from 'vitest';
import { howAltered } from '../../../../conformance/engine/rule/altered.js';

describe('the difference of a text', () => {
  test.each([
    ['is described by the place of its first change', 'a-b', 'a_b', ', different from character 2 on'],
    [
      'is described with the lengths if they differ',
      'abc',
      'aXYc',
      '4 instead of 3 characters, different from character 2 on',
    ],
    ['is described if text was appended', 'abc', 'abc!', '4 instead of 3 characters, longer'],
    ['is described in a word if there is one', 'Abc', 'abc', 'in another case'],
    ['is described by the part that is left', 'abcdef', 'abc', 'cut to 3 of 6 characters'],
  ])('%s', (_, given, back, want) => expect(howAltered('value', given, back).actual).toContain(want));
});
