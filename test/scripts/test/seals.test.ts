import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seeded } from '../../../conformance/engine/send/seeded.js';
import { digests, leftOut } from '../../../scripts/test/seals.js';

const clock = { 'proof/virtual-clock.ts': 'export const clock = 1;' };
const files = {
  ...clock,
  'judge.ts': 'export const judge = (seen: number) => seen > 1;',
  'test/whole.slow.test.ts': `import { clock } from '../proof/virtual-clock.js'; import { judge } from '../judge.js'; judge(clock);`,
  'test/timed.slow.test.ts': `import { judge } from '../judge.js'; judge(Date.now());`,
  'package-lock.json': '{"version":1}',
};
const slow = ['test/whole.slow.test.ts', 'test/timed.slow.test.ts'];

let root = '';
const write = async (file: string, text: string) => {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
};
beforeEach(async () => {
  root = (await mkdtemp(join(tmpdir(), 'seals-'))) + sep;
  for (const [file, text] of Object.entries(files)) await write(file, text);
});
afterEach(() => rm(root, { recursive: true }));

test('only what goes by the virtual clock is sealed', async () => {
  expect(Object.keys(await digests(root, slow))).toEqual(['test/whole.slow.test.ts']);
});

test.each([
  ['a comment', 'judge.ts', `// Why.\n${files['judge.ts']}`, 'holds'],
  ['a type', 'judge.ts', 'export const judge = (seen: unknown) => seen > 1;', 'holds'],
  ['what it imports', 'judge.ts', 'export const judge = (seen: number) => seen > 2;', 'breaks'],
  ['the clock', 'proof/virtual-clock.ts', 'export const clock = 2;', 'breaks'],
  ['the version of a package', 'package-lock.json', '{"version":2}', 'breaks'],
] as const)('a change of %s in %s: the code becomes %s, and the seal %s', async (_, file, text, comes) => {
  const before = await digests(root, slow);
  await write(file, text);
  const after = await digests(root, slow);
  expect(JSON.stringify(after) === JSON.stringify(before) ? 'holds' : 'breaks').toBe(comes);
});

test('of what is sealed one of five is tried again, another one each time, and whatever changed', () => {
  const names = Array.from({ length: 25 }, (_, index) => `${index}.slow.test.ts`);
  const sealed = Object.fromEntries(names.map((name) => [name, 'same']));
  const now = { ...sealed, '3.slow.test.ts': 'other', 'new.slow.test.ts': 'new' };
  const draws = [1, 2, 3].map((seed) => leftOut(now, sealed, seeded(seed)));
  for (const draw of draws) {
    expect(draw).toHaveLength(19);
    expect(draw).not.toContain('3.slow.test.ts');
    expect(draw).not.toContain('new.slow.test.ts');
  }
  expect(new Set(draws.map((draw) => draw.toSorted().join())).size).toBe(3);
  expect(leftOut(now, {}, seeded(1))).toEqual([]);
});
