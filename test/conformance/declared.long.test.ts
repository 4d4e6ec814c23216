import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Effect } from '../../conformance/engine/vocabulary.js';
import { effects } from '../../conformance/suite/target/roles.js';
import { type TargetFile, toTarget } from '../../conformance/suite/target/target.js';
import { checkInProcess } from '../../proof/in-process.js';
import { createReference } from '../../reference/index.js';

const { fixtures: whole } = createReference();
const { workflows, apiKeys, baseUrl, stateful, allow, pace, ...fixtures } = whole;
const parts = [...Object.keys(fixtures), 'restricted', ...Object.keys(workflows).map((role) => `workflows.${role}`)];

/** The target file with some of what it may declare left out. */
const without = (left: readonly string[], allowed: Effect): TargetFile => ({
  baseUrl,
  stateful,
  pace,
  allow: allowed,
  apiKeys: left.includes('restricted') ? { primary: apiKeys.primary } : apiKeys,
  workflows: Object.fromEntries(Object.entries(workflows).filter(([role]) => !left.includes(`workflows.${role}`))),
  ...Object.fromEntries(Object.entries(fixtures).filter(([name]) => !left.includes(name))),
});

/** Rules that a healthy service does not pass, other than for want of something that the file would have to say. */
async function odd(left: readonly string[], allowed: Effect): Promise<string[]> {
  const run = await checkInProcess({}, { target: toTarget(without(left, allowed)) });
  return run.rules
    .filter(({ verdict }) => verdict !== 'passed' && verdict !== 'untested')
    .map(({ id, verdict, why }) => `${id} ${verdict}: ${why}`);
}

describe('a conformant service has no violated and no inconclusive rule for an incomplete target file:', () => {
  test.each(effects)('no declarations, at --allow %s', async (allowed) => {
    expect(await odd(parts, allowed)).toEqual([]);
  });

  test.each(parts)('everything but %s', async (part) => {
    expect(await odd([part], 'delete')).toEqual([]);
  });

  test('any part of it, with any allowed effects', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(parts), fc.constantFrom(...effects), async (left, allowed) => {
        expect(await odd(left, allowed)).toEqual([]);
      }),
      { numRuns: 8, seed: 4 },
    );
  });
});
