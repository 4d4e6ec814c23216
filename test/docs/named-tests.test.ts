import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) => join('docs', file));

/** Each test that a guide names as what holds it: from the root, or below `test/`. */
const named = ['README.md', 'CONTRIBUTING.md', ...guides]
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/`(?:npx vitest run )?([\w/.-]+\/[\w.-]+\.test\.ts)\b/g)].map(
      ([, test = '']) => [file, test] as const,
    ),
  );

it('guides name tests:', () => expect(named.length).toBeGreaterThan(25));

it.each(named)('%s names %s, which exists', (_, test) => {
  expect([join(root, test), join(root, 'test', test)].some((file) => existsSync(file))).toBe(true);
});
