import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { document } from './document.js';

interface Entry {
  readonly id?: string;
  readonly says?: string;
  readonly statements: readonly string[];
}

const read = (file: string): unknown =>
  parse(readFileSync(new URL(`../../openapi/${file}`, import.meta.url), 'utf8')) as unknown;
const register = read('rules.yaml') as Record<'rules' | 'gaps' | 'callers' | 'excluded', readonly Entry[]>;
const { statements } = read('statements.yaml') as { readonly statements: readonly { readonly id: string }[] };
const known = new Set(statements.map(({ id }) => id));

/** Every `x-gap` of the document, with the place that has it. */
function places(node: unknown, path = '#'): { gap: string; path: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { 'x-gap': gaps = [], ...rest } = node as Record<string, unknown>;
  const own = [gaps].flat().map((gap) => ({ gap: String(gap), path }));
  return [...own, ...Object.entries(rest).flatMap(([name, child]) => places(child, `${path}/${name}`))];
}
const left = places(document);

test.each(left)('$path is left open by the gap $gap, which rests on statements of the interface', ({ gap }) => {
  const entry = register.gaps.find(({ id }) => id === gap);
  expect(entry?.statements.filter((id) => known.has(id))).toEqual(entry?.statements);
  expect(entry?.statements.length).toBeGreaterThan(0);
});

describe.each(['gaps', 'callers', 'excluded'] as const)('the register, %s:', (kind) => {
  test.each(register[kind].map((entry) => [entry.id ?? entry.says, entry] as const))(
    '%s: rests on statements',
    (_, entry) => {
      expect(entry.statements.length).toBeGreaterThan(0);
      expect(entry.statements.filter((id) => !known.has(id))).toEqual([]);
    },
  );
});

/** What is left open of all requests alike, or has no place in the contract at all. */
const nowhere = [
  'unsupported-method',
  'unsupported-media-type',
  'auth-before-validation',
  'rate-limit-headers',
  'stored-normalised',
  'events-and-webhooks',
];

test('every gap has a place in the contract, except those about no place', () => {
  const placed = new Set(left.map(({ gap }) => gap));
  expect(register.gaps.flatMap(({ id = '' }) => (placed.has(id) ? [] : [id]))).toEqual(nowhere);
});
