import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

const links = [...page.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)].map(([, text = '', to = '']) => [text, to] as const);
const places = [...page.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, place = '']) => place);

it('names enough to be followed', () => {
  expect(links.length).toBeGreaterThan(20);
  expect(places.length).toBeGreaterThan(20);
});

it.each(links)('%s is at %s', (text, to) => {
  const file = join(root, 'docs', to);
  expect(existsSync(file), to).toBe(true);
  const name = /^`(\w+)`$/.exec(text)?.[1];
  if (name === undefined) return;
  const defined = new RegExp(
    `^export (?:abstract )?(?:async )?(?:function|const|class|interface|type) ${name}\\b`,
    'm',
  );
  expect(readFileSync(file, 'utf8'), `${to} defines ${name}`).toMatch(defined);
});

it.each(places)('%s is there', (place) => {
  expect(existsSync(join(root, place))).toBe(true);
});
