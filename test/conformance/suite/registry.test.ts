import { readFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { callers, gaps, rules } from '../../../generated/rules.js';

const every = [...rules, ...gaps, ...callers];

test('an id names one thing', () => {
  const ids = every.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

const source = (file: string): unknown =>
  parseYaml(readFileSync(new URL(`../../../openapi/${file}`, import.meta.url), 'utf8'));

const { statements } = source('statements.yaml') as { statements: { id: string; contract?: string[] }[] };

/** What the contract says of what a statement is about, such as the unit of a field: judges rest on it, and read none of it. */
function wordsOf(id: string): string[] {
  const places = statements.find((one) => one.id === id)?.contract ?? [];
  return places.flatMap((place) => {
    const [file = '', pointer = ''] = place.split('#/');
    const found = pointer
      .split('/')
      .filter(Boolean)
      .reduce((at, name) => (at as Record<string, unknown>)[name], source(file)) as Described;
    // Of a path, what its operations are said to do.
    const described = file.startsWith('paths/') && pointer === '' ? Object.values(found) : [found];
    return described.flatMap((one) => {
      const words = (one as Described | undefined)?.description;
      return typeof words !== 'string' ? [] : [`${place}: ${words.trim().replaceAll(/\s+/g, ' ')}`];
    });
  });
}

type Described = Readonly<Record<string, unknown>>;

/**
 * Baselines and pins of other people name these ids: a change of meaning wants a look, and an entry in the changelog. Below a
 * rule stands what it rests on. Where that says something else, look at its judge, at the reference service and at the tests of
 * both before it is recorded anew: they may go on to agree on what it said.
 */
test('the register means what it meant', async () => {
  const lines = [
    ...[...rules, ...callers].flatMap(({ id, level, says, statements }) => [
      `${id} (${level}): ${says}`,
      ...statements.flatMap(wordsOf).map((words) => `  ${words}`),
    ]),
    ...gaps.map(({ id, asks }) => `${id} (gap): ${asks}`),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('registry.txt');
});
