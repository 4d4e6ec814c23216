import { expect, it } from 'vitest';
import type { Verdict } from '../../conformance/engine/vocabulary.js';
import type { RuleId } from '../../generated/rules.js';
import type { Case } from '../../proof/cases.js';
import { figuresOf } from '../../proof/tempos.js';

/** A case, and what was said of some rules; all others have not been judged. */
const result = (of: Case, verdicts: Partial<Record<RuleId, Verdict>>) => ({
  of,
  outcome: {
    rules: Object.entries(verdicts).map(([id, verdict]) => ({ id: id as RuleId, verdict, why: '' })),
    executions: 12,
    minutes: 9.6,
  },
});

it('separates found faults from missed ones and from those without a judged rule', () => {
  const fault = { fault: 'created-at-is-now' };
  const found = result(fault, { 'identity-is-constant': 'violated' });
  const overlooked = result(fault, { 'identity-is-constant': 'passed' });
  const unjudged = result(fault, { 'identity-is-constant': 'untested' });
  expect(figuresOf([found, overlooked, unjudged])).toMatchObject({
    faults: 3,
    overlooked: ['created-at-is-now'],
    unjudged: ['created-at-is-now'],
    blamed: [],
  });
});

it('lists undeclared broken rules of a fault, and broken or inconclusive rules of a conformant service', () => {
  const blamed = result({ fault: 'created-at-is-now' }, { 'status-is-current': 'violated' });
  const usual = result(
    { choices: 'default' },
    { 'execute-is-accepted': 'violated', 'status-is-current': 'passed', 'sync-wait-is-bounded': 'inconclusive' },
  );
  expect(figuresOf([blamed, usual])).toMatchObject({
    blamed: ['created-at-is-now: status-is-current'],
    ways: 1,
    alarms: ['default: execute-is-accepted'],
    doubts: ['default: sync-wait-is-bounded'],
    judged: 1,
    executions: 12,
    minutes: 10,
  });
});
