import { describe, expect, test } from 'vitest';
import { howAltered } from '../../../../conformance/engine/rule/altered.js';

describe('the difference of a text', () => {
  test.each([
    [
      'is described by its first change',
      'a-b',
      'a_b',
      'of 3 characters, another character for another character at character 2',
    ],
    ['is described by its kind', 'ab1', 'abc', 'of 3 characters, a small letter for a digit at character 3'],
    [
      'is described with the lengths if they differ',
      'abc',
      'aXYc',
      'of 4 instead of 3 characters, a capital letter for a small letter at character 2',
    ],
    [
      'is described if text was appended',
      'abc',
      'abc!',
      'of 4 instead of 3 characters, another character after the last',
    ],
    ['is described for blanks', 'a b', 'a+b', 'another character for a blank at character 2'],
    ['is described in a word if there is one', 'Abc', 'abc', 'in another case'],
    ['is described by the part that is left', 'abcdef', 'abc', 'cut to 3 of 6 characters'],
  ])('%s', (_, given, back, want) => expect(howAltered('value', given, back).actual).toContain(want));
});
