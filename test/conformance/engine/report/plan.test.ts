import { expect, it } from 'vitest';
import { planText } from '../../../../conformance/engine/report/plan.js';
import type { Plan } from '../../../../conformance/engine/vocabulary/report.js';
import { facts } from '../../../support/evidence.js';

const requests = {
  execute: ['POST', '/agents/v2/workflows/5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18/execute'],
  getExecution: ['GET', '/agents/v2/executions/{executionId}'],
} as const;
const step = (operation: keyof typeof requests, name: string, times = 1, repeats = false) => ({
  step: name,
  operation,
  method: requests[operation][0],
  path: requests[operation][1],
  times,
  repeats,
  serves: name === 'rich' ? (['workflow-must-exist', 'version-must-exist'] as const) : [],
  asks: [],
});

const plan: Plan = {
  journeys: [
    { id: 'restricted', effect: 'read', steps: [] },
    { id: 'preflight', effect: 'read', steps: [step('getExecution', 'read-unknown')] },
    {
      id: 'start',
      effect: 'execute',
      steps: [
        step('execute', 'rich'),
        step('getExecution', 'read', 5, true),
        step('execute', 'head'),
        step('getExecution', 'read-after-end', 2),
      ],
    },
  ],
  requests: 5,
  executions: 2,
  duplicates: 1,
  rules: [
    { rule: 'workflow-must-exist', steps: ['start/rich'] },
    { rule: 'no-server-errors', steps: ['*'] },
    { rule: 'queued-starts-by-itself', steps: [] },
  ],
  leavesBehind: ['profile: a copy', 'execution: last seen paused', 'profile: a copy'],
  untested: [
    { rule: 'metadata-is-recorded', why: 'To judge it, allow execute.', notSent: ['start/rich'] },
    { rule: 'queued-starts-by-itself', why: 'To judge it, declare capacity.', notSent: ['capacity/fill'] },
    { rule: 'metadata-is-shown', why: 'To judge it, allow execute.', notSent: [] },
  ],
};

it('tells what would be sent, by journey, method and path, what it leaves behind, and what stays untested and why', () => {
  expect(planText(plan, facts({ baseUrl: 'https://staging.example.com', allow: 'write' }), { width: 120 })).toBe(`\
A run against https://staging.example.com (allow: write) would send this. Nothing is sent now.

preflight  (read)
  GET /agents/v2/executions/{executionId}
      read-unknown

start  (execute)
  POST /agents/v2/workflows/5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18/execute
      rich
        for workflow-must-exist, version-must-exist
      head
  GET /agents/v2/executions/{executionId}
      read (polled), read-after-end × 2

In total 5 requests besides polling, 2 executions started, 1 profile duplicated.

Left behind:
  profile: a copy × 2
  execution: last seen paused

2 rules untested. To judge it, allow execute.
  metadata-is-recorded, metadata-is-shown

1 rule untested. To judge it, declare capacity.
  queued-starts-by-itself
`);
});

it('tells what is sent for each rule that was asked about, and what is not', () => {
  expect(planText(plan, facts(), { byRule: true })).toContain(`
Steps that are sent for each rule:
  workflow-must-exist
      start/rich
  no-server-errors
      every request
  queued-starts-by-itself
      nothing; not sent: capacity/fill
`);
  expect(planText(plan, facts())).not.toContain('For each rule');
});

it('tells how long it takes, how many places it holds, what it costs, and what each of them leaves open', () => {
  const assumed = { ms: 120_000, of: ['workflows.fails', 'capacity.workflow'] };
  const foreseen = { lastsMs: 1_440_000, sentAtMs: {}, assumed, places: 17, heldMs: 9_000_000, held: 1 };
  const told = (more: object, options = {}) =>
    planText(
      { ...plan, foreseen: { ...foreseen, ...more } },
      facts({ budget: { executions: 60, copies: 10, places: 17 } }),
      {
        width: 120,
        ...options,
      },
    ).replaceAll('\n', ' ');
  expect(told({})).toContain(
    'It would take about 24 min, assuming 2 min for workflows.fails, capacity.workflow. At most 17 executions at once (budget.places: 17), 2.5 h in total. For a better estimate, declare how long they take (workflows.completes: {id: …, takes: 3m}). 1 execution would stop and hold capacity until somebody resumes or cancels it.',
  );
  expect(told({ assumed: undefined, held: 0 })).not.toMatch(/assuming|better estimate|would stop/);
  expect(told({ cost: { known: 17.6000001, others: 0 } })).toContain('The executions would cost 17.6.');
  expect(told({ cost: { known: 4, others: 2 } })).toContain(
    'The executions would cost 4, plus 2 executions whose cost is not declared.',
  );
  expect(told({}, { maxTimeMs: 900_000 })).toContain(
    '--max-time ends the run after 15 min: rules that need the end of what still runs are inconclusive.',
  );
  expect(told({ sentAtMs: { 'start/rich': 900_001 } }, { maxTimeMs: 900_000 })).toContain(
    'are inconclusive, and nothing is sent for workflow-must-exist.',
  );
  expect(told({}, { maxTimeMs: 1_500_000 })).not.toContain('--max-time');
});

it('keeps a step on one line in a narrow terminal', () => {
  const lines = planText(plan, facts(), { width: 30 }).split('\n');
  expect(lines).toContain('      read (polled),');
  expect(lines).toContain('      read-after-end × 2');
});

it('takes a terminal that does not know its width for one of the usual', () => {
  expect(planText(plan, facts(), { width: 0 })).toBe(planText(plan, facts()));
});
