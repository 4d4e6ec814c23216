import { describe, expect, test } from 'vitest';
import { howAltered } from '../../../../conformance/engine/rule/altered.js';

describe('what became of a text', () => {
  test.each([
    [
      'is told by its first change',
      'a-b',
      'a_b',
      'of 3 characters, another character for another character at character 2',
    ],
    ['is told by the kind of it', 'ab1', 'abc', 'of 3 characters, a small letter for a digit at character 3'],
    [
      'is told with the lengths where they differ',
      'abc',
      'aXYc',
      'of 4 instead of 3 characters, a capital letter for a small letter at character 2',
    ],
    [
      'is told where something was put after it',
      'abc',
      'abc!',
      'of 4 instead of 3 characters, another character after the last',
    ],
    ['is told of blanks', 'a b', 'a+b', 'another character for a blank at character 2'],
    ['is told in a word where there is one', 'Abc', 'abc', 'in another case'],
    ['is told by how much is left of it', 'abcdef', 'abc', 'cut to 3 of 6 characters'],
  ])('%s', (_, given, back, want) => expect(howAltered('value', given, back).actual).toContain(want));
});
