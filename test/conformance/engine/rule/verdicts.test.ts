import { expect, it } from 'vitest';
import { Tally } from '../../../../conformance/engine/rule/verdicts.js';
import { facts } from '../../../support/evidence.js';

const faults = [{ actual: 'b' }];

it('a rule that does not apply counts no findings', () => {
  const of = (stateful: boolean) => {
    const tally = new Tally();
    tally.add({ kind: 'satisfied', operation: 'execute', exchanges: [1] });
    tally.add({ kind: 'violated', operation: 'execute', exchanges: [2], expected: 'a', actual: 'b', faults });
    return tally.verdict(
      {
        id: 'terminal-is-final',
        level: 'MUST',
        effect: 'read',
        on: ['getExecution'],
        needs: [],
        stateless: false,
      } as const,
      facts({ stateful }),
      {
        driven: true,
      },
    );
  };
  const seen = { observations: 2, violations: 1 };
  expect(of(true)).toMatchObject({ verdict: 'violated', observations: 2, operations: { execute: seen } });
  expect(of(false)).toMatchObject({ verdict: 'not-applicable', observations: 0, operations: {}, violations: [] });
});

it('the reason that ended a scenario makes a rule inconclusive only if the rule depends on it', () => {
  const of = (...needs: string[]) =>
    new Tally().verdict(
      {
        id: 'status-is-current',
        level: 'MUST',
        effect: 'read',
        on: ['getExecution'],
        needs,
        stateless: false,
        where: 'reading',
      },
      facts({ profile: 'p', workflows: { completes: 'w' } }),
      { driven: true, halts: [{ why: 'The profile cannot be read.', need: 'profile' }] },
    );
  expect(of('workflows.completes')).toMatchObject({ verdict: 'untested', why: 'The target showed no reading.' });
  expect(of('profile')).toMatchObject({ verdict: 'inconclusive', why: expect.stringContaining('cannot be read.') });
});
