import { describe, expect, test } from 'vitest';
import { idOf } from '../../proof/cases.js';
import { neededOf, neededVariants, shownBy } from '../../proof/needed.js';

describe('a fault is needed', () => {
  const needed = (shown: Record<string, string[]>) => [...neededOf(new Map(Object.entries(shown)))].sort();

  test('if only it exercises a step', () => {
    expect(needed({ a: ['check r', 'step s/1'], b: ['check r', 'step s/2'], c: ['check r'] })).toEqual(['a', 'b']);
  });

  test('if only it and one other exercise a check', () => {
    expect(needed({ a: ['check r'], b: ['check r'], c: [] })).toEqual(['a', 'b']);
  });

  test('if one of the orders keeps it', () => {
    const all = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, ['check r']]));
    const kept = needed(all);
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.length).toBeLessThanOrEqual(6);
    expect(needed(all)).toEqual(kept);
  });
});

test('a fault exercises a branch or a step that alone finds it, and the check of each rule', () => {
  const rule = (id: 'terminal-is-final' | 'trigger-is-api', ...ways: { expected: string; step: string }[]) =>
    ({ id, verdict: 'violated', why: '', ways }) as const;
  const trial = (id: string, ...rules: ReturnType<typeof rule>[]) => ({ id, says: '', breaks: [], outcome: { rules } });
  const shown = shownBy([
    trial('one', rule('trigger-is-api', { expected: 'api', step: 'start/rich' })),
    trial(
      'several',
      rule(
        'terminal-is-final',
        { expected: 'the end', step: 'start/rich' },
        { expected: 'the end', step: 'start/head' },
      ),
      rule('trigger-is-api', { expected: 'api', step: 'start/rich' }, { expected: 'its key', step: 'start/rich' }),
    ),
  ]);
  expect(shown.get('one')).toEqual(['check trigger-is-api', 'branch trigger-is-api: api', 'step start/rich']);
  expect(shown.get('several')).toEqual([
    'check terminal-is-final',
    'branch terminal-is-final: the end',
    'check trigger-is-api',
    'step start/rich',
  ]);
});

test('a variant is needed for a rule that no other would keep right without a condition', async () => {
  const needed = await neededVariants(async (all) =>
    all.map((of) => ({
      of,
      outcome: {
        rules: [{ id: 'terminal-is-final', verdict: of.without === '1T' ? 'violated' : 'passed', why: '' }],
        conditions: [{ 'long-runs': '1T', charset: '2F' }[idOf(of)] ?? '1F'],
        executions: 0,
        minutes: 0,
      },
    })),
  );
  expect(needed.get('long-runs')).toEqual(['terminal-is-final']);
  expect(needed.has('charset')).toBe(false);
});
