import { expect, it } from 'vitest';
import { planText } from '../../../../conformance/engine/report/plan.js';
import type { Plan } from '../../../../conformance/engine/vocabulary/report.js';
import { facts } from '../../../support/evidence.js';

const plan: Plan = {
  scenarios: [
    { id: 'preflight', effect: 'read', operations: ['getExecution'], executions: 0, fromMs: 0, steps: [] },
    {
      id: 'start',
      effect: 'execute',
      operations: ['execute', 'getExecution'],
      executions: 2,
      fromMs: 60_000,
      steps: [
        { step: 'start/rich', serves: ['workflow-must-exist', 'version-must-exist', 'metadata-is-recorded'] },
        { step: 'start/head', serves: ['version-must-exist'] },
      ],
    },
  ],
  requests: 5,
  executions: 2,
  mostExecutions: 12,
  foreseen: {
    lastsMs: 1_440_000,
    assumed: { ms: 120_000, of: ['workflows.fails', 'capacity.workflow'] },
    places: 2,
    heldMs: 9_000_000,
    executions: [
      { workflow: 'workflows.fails', count: 1 },
      { workflow: 'capacity.workflow', count: 1 },
    ],
  },
  copies: 1,
  rules: [
    { rule: 'workflow-must-exist', steps: ['start/rich'] },
    { rule: 'no-server-errors', steps: ['*'] },
    { rule: 'queued-starts-by-itself', steps: [] },
  ],
  leavesBehind: ['copies of the profile: at most 1'],
  untested: [
    { rule: 'metadata-is-recorded', why: 'To judge it, allow execute.', notSent: ['start/rich'] },
    { rule: 'queued-starts-by-itself', why: 'To judge it, declare capacity.', notSent: ['capacity/fill'] },
    { rule: 'metadata-is-shown', why: 'To judge it, allow execute.', notSent: [] },
  ],
};

const declared = facts({
  baseUrl: 'https://staging.example.com',
  allow: 'write',
  budget: { executions: 12, copies: 5, places: 2 },
});

it('a plan has the executions of a run, the requests and rules of each scenario, the resources left behind, and the untested rules', () => {
  expect(planText(plan, declared, { width: 120 })).toBe(`\
A run against https://staging.example.com (allow: write) would send this. Nothing is sent now.

  requests: about 5 besides polls, at most 50 a second
  copies of the profile: at most 1 (budget.copies: 5)
  executions: 2 (1 of workflows.fails, 1 of capacity.workflow); at most 12 if some have to be started again
    (budget.executions)
  at the same time: at most 2 executions (budget.places: 2); one after another: 2.5 h
  time: about 24 min, assuming 2 min for workflows.fails, capacity.workflow (declare how long they take:
    workflows.completes: {id: …, takes: 3m})
  What is violated or inconclusive would be sent once more, with at most 8 executions.

preflight (read)
    getExecution

start (execute), starts 2 executions
    execute, getExecution
    for workflow-must-exist, version-must-exist

Left behind:
  copies of the profile: at most 1

2 rules untested. To judge them, allow execute.
  metadata-is-recorded, metadata-is-shown

1 rule untested. To judge it, declare capacity.
  queued-starts-by-itself
`);
});

it('a plan has the steps for each selected rule, and the missing ones', () => {
  expect(planText(plan, facts(), { byRule: true })).toContain(`
Steps that are sent for each rule:
  workflow-must-exist
      start/rich
  no-server-errors
      every request
  queued-starts-by-itself
      nothing; not sent: capacity/fill
`);
  expect(planText(plan, facts())).not.toContain('for each rule');
});

it('a plan adds up the cost, and names what a time limit leaves out', () => {
  const text = (more: object, options = {}) =>
    planText({ ...plan, foreseen: { ...plan.foreseen, ...more } as Plan['foreseen'] & object }, declared, {
      width: 120,
      ...options,
    }).replaceAll(/\s+/g, ' ');
  expect(text({ assumed: undefined })).not.toContain('assuming');
  expect(text({ cost: { known: 17.6000001, others: 0 } })).toContain('cost: 17.6 ');
  expect(text({ cost: { known: 4, others: 2 } })).toContain('cost: 4, plus 2 executions whose cost is not declared');
  expect(text({}, { maxTimeMs: 900_000 })).toContain(
    '--max-time ends the run after 15 min: rules that need the end of what still runs are inconclusive.',
  );
  expect(text({}, { maxTimeMs: 30_000 })).toContain('are inconclusive, and nothing is sent for workflow-must-exist.');
  expect(text({}, { maxTimeMs: 1_500_000 })).not.toContain('--max-time');
});

it('a plan on a terminal of unknown width has 80 columns', () => {
  expect(planText(plan, facts(), { width: 0 })).toBe(planText(plan, facts()));
});
