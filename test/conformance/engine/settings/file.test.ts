import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Path, readText } from '../../../../conformance/engine/settings/file.js';
import { parseSettings } from '../../../../conformance/engine/settings/parse.js';
import { temporaryFolder } from '../../../support/folder.js';

const folder = temporaryFolder();

describe('a file that cannot be read', () => {
  it.each([
    [join(folder, 'none.yaml'), 'does not exist.'],
    [folder, 'is a folder.'],
  ])('is named with the reason: %s', (file, why) => {
    expect(() => readText(file)).toThrow(expect.objectContaining({ message: `${file} ${why}`, exitCode: 2 }));
  });
});

describe('a file in another encoding', () => {
  const written = (...parts: (string | Buffer)[]) => {
    const file = join(folder, 'encoded.yaml');
    writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part as string))));
    return file;
  };

  it('is read if its first bytes name the encoding', () => {
    expect(readText(written('\ufeffa: ü'))).toBe('a: ü');
    expect(readText(written(Buffer.from('\ufeffa: ü', 'utf16le')))).toBe('a: ü');
  });

  it('is refused if it is unknown', () => {
    const file = written('a: ', Buffer.from([0xfc]));
    expect(() => readText(file)).toThrow(`${file} is not UTF-8 text; save it as UTF-8.`);
  });
});

describe('text that is neither YAML nor JSON', () => {
  it.each([
    ['a: [1', 'f.yaml:1:6: '],
    ['a: 1\nb: 2\na: 3', 'f.yaml:3:1: a is there twice; keep one of them.'],
    ['{"a": 1, "a": 2}', 'f.yaml:1:10: "a" is there twice; keep one of them.'],
    ['a: 1\n\tb: 2', 'f.yaml:2:1: '],
    ['headers:\n  Accept: */*\n', 'A value that begins with * needs quotes around it.'],
    ['a: @me', 'f.yaml:1:4: a value that begins with @ needs quotes around it.'],
    ['a:\n\tb: 1', 'f.yaml:2:1: a tab indents nothing; indent with spaces.'],
    ['a: 1\n---\nb: 2', 'f.yaml:2:1: another document begins with ---; keep one of them.'],
    ['a: b: c', 'f.yaml:1:4: a name follows a value; '],
    [`a: {b: \${C}}`, `f.yaml:1:9: \${NAME} within {…} needs quotes around it: "\${NAME}".`],
  ])('is refused with the place: %j', (text, start) => {
    expect(() => parseSettings('f.yaml', text)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(start), exitCode: 2 }),
    );
  });

  it('is reported once for one error, and for every repeated name', () => {
    const refusal = (text: string) => expect(() => parseSettings('f.yaml', text));
    refusal('a: 1\n  b: 2').toThrow(/^[^\n]*$/);
    refusal('a: 1\na: 2\nb: 1\nb: 2').toThrow(/^f\.yaml has 2 mistakes:\n.*a is there twice.*\n.*b is there twice/);
  });

  it('is refused when its aliases expand without end', () => {
    const bomb = Array.from({ length: 9 }, (_, n) => `a${n}: &a${n} [${Array(9).fill(n === 0 ? 'x' : `*a${n - 1}`)}]`);
    expect(() => parseSettings('f.yaml', bomb.join('\n'))).toThrow(/^f\.yaml: .*alias/i);
  });
});

describe('an error', () => {
  const text = `first: 1
group:
  inner: &shared
    deep: 2
list:
  - name: a
  - name: b
again: *shared
json: {"quoted": 3}
`;
  it.each<[Path, string]>([
    [['first'], '1:1'],
    [['group', 'inner', 'deep'], '4:5'],
    [['list', 1, 'name'], '7:5'],
    [['list', 1], '7:5'],
    [['group', 'missing'], '2:1'],
    [['again', 'deep'], '4:5'],
    [['json', 'quoted'], '9:8'],
    [[], '1:1'],
  ])('at %j is reported at %s', (path, place) => {
    expect(parseSettings('f.yaml', text).error([{ path, text: 'is odd.' }]).message).toBe(`f.yaml:${place}: is odd.`);
  });

  it('is reported with others in the order of the file', () => {
    const error = parseSettings('f.yaml', text).error([
      { path: ['list'], text: 'second.' },
      { path: ['first'], text: 'first.' },
    ]);
    expect(error.message).toBe('f.yaml has 2 mistakes:\n  f.yaml:1:1: first.\n  f.yaml:5:1: second.');
  });
});
