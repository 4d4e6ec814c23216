import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../cli/glob.js';
import { callers, gaps, rules } from '../../generated/rules.js';
import { cli } from './support.js';

const list = async (...args: string[]) => JSON.parse((await cli(['rules', '--json', ...args])).stdout);

describe('rules', () => {
  it('lists the whole register', async () => {
    expect(await list()).toEqual(JSON.parse(JSON.stringify({ rules, gaps, callers })));
  });

  it('lists the entries that a glob matches, in all three parts', async () => {
    const register = await list('sync-*', 'caller-follows-202');
    expect(register.rules.map(({ id }: { id: string }) => id)).toContain('sync-timeout-range');
    expect(register.gaps.map(({ id }: { id: string }) => id)).toEqual(['sync-returns-on-pause']);
    expect(register.callers.map(({ id }: { id: string }) => id)).toEqual(['caller-follows-202']);
  });

  it('lists the rules of a level, without gaps, which have no level', async () => {
    const register = await list('--level', 'SHOULD');
    expect(register.rules).toEqual(JSON.parse(JSON.stringify(rules.filter(({ level }) => level === 'SHOULD'))));
    expect(register.gaps).toEqual([]);
  });

  it('prints for each rule its level, its effect, its needs and its text', async () => {
    const { stdout } = await cli(['rules', 'variant-key-is-required']);
    expect(stdout).toBe(`Rules for a service (1)

variant-key-is-required  MUST    execute  needs workflows.variantMode
    A variant-mode workflow without variantKey is refused.
    rests on variant-mode-needs-key (stated)
`);
  });
});

describe('a glob', () => {
  it.each([
    ['sync-timeout-range', 'sync-*', true],
    ['sync-timeout-range', '*range', true],
    ['sync-timeout-range', 'sync-timeout-range', true],
    ['sync-timeout-range', 'sync', false],
    ['resync-timeout', 'sync-*', false],
    ['a-b', 'a.b', false],
    ['sync-timeout-range', '*c-t*-*e', true],
    ['sync-timeout', 'sync*c-timeout', false],
    ['sync-timeout', '*time*time*', false],
    ['sync-timeout', '**', true],
    ['sync-timeout', '', false],
  ])('%s matches %s: %s', (id, glob, want) => {
    expect(matchesGlob(id, glob)).toBe(want);
  });
});
