import { expect, it } from 'vitest';
import type { Verdict } from '../../conformance/engine/vocabulary.js';
import type { RuleId } from '../../generated/rules.js';
import type { Case } from '../../proof/cases.js';
import { figuresOf, pageOf } from '../../proof/tempos.js';

/** A case, and what was said of some rules; all others have not been judged. */
const result = (of: Case, verdicts: Partial<Record<RuleId, Verdict>>) => ({
  of,
  outcome: {
    rules: Object.entries(verdicts).map(([id, verdict]) => ({ id: id as RuleId, verdict, why: '' })),
    executions: 12,
    minutes: 9.6,
  },
});

it('tells faults that are found from those that are overlooked, and from those of which nothing was judged', () => {
  const fault = { fault: 'pools-are-deleted-twice' };
  const found = result(fault, { 'deleted-pool-is-gone': 'violated' });
  const overlooked = result(fault, { 'deleted-pool-is-gone': 'passed' });
  const unjudged = result(fault, { 'deleted-pool-is-gone': 'untested' });
  expect(figuresOf([found, overlooked, unjudged])).toMatchObject({
    faults: 3,
    overlooked: ['pools-are-deleted-twice'],
    unjudged: ['pools-are-deleted-twice'],
    blamed: [],
  });
});

it('tells what a fault breaks that it does not declare, and what is called broken or stays in doubt of a service that conforms', () => {
  const blamed = result({ fault: 'pools-are-deleted-twice' }, { 'pool-is-deleted': 'violated' });
  const usual = result(
    { choices: 'default' },
    { 'execute-is-accepted': 'violated', 'pool-is-deleted': 'passed', 'sync-wait-is-bounded': 'inconclusive' },
  );
  expect(figuresOf([blamed, usual])).toMatchObject({
    blamed: ['pools-are-deleted-twice: pool-is-deleted'],
    ways: 1,
    alarms: ['default: execute-is-accepted'],
    doubts: ['default: sync-wait-is-bounded'],
    judged: 1,
    executions: 12,
    minutes: 10,
  });
});

it('shows the figures of each tempo that was measured', () => {
  const usual = result({ choices: 'default' }, { 'pool-is-deleted': 'passed' });
  const fault = result({ fault: 'pools-are-deleted-twice' }, { 'deleted-pool-is-gone': 'violated' });
  const page = pageOf({ 'two-minutes-12': { every: 4, ...figuresOf([usual, fault]) } });
  expect(page).toContain('| 12 | 12 | 10 | 1 | 1, one of 4 | 1 (100 %) | 0 | 0 | 0 of 1 | 0 of 1 |');
});
