import { expect, it } from 'vitest';
import { planText } from '../../../../conformance/engine/report/plan.js';
import type { Plan } from '../../../../conformance/engine/vocabulary/plan.js';
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
  leavesBehind: ['profile: a copy', 'execution: last seen paused', 'profile: a copy'],
  untested: [
    { rule: 'pool-is-deleted', why: 'To judge it, allow delete.' },
    { rule: 'files-appear', why: 'To judge it, declare workflows.writesFiles.' },
    { rule: 'deleted-pool-is-gone', why: 'To judge it, allow delete.' },
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
      rich, head
  GET /agents/v2/executions/{executionId}
      read until it shows, read-after-end × 2

In all 5 requests and as many readings as it takes, 2 executions started, 1 profile duplicated.

Left behind:
  profile: a copy × 2
  execution: last seen paused

2 rules untested. To judge it, allow delete.
  pool-is-deleted, deleted-pool-is-gone

1 rule untested. To judge it, declare workflows.writesFiles.
  files-appear
`);
});

it('keeps a step on one line in a narrow terminal', () => {
  const lines = planText(plan, facts(), { width: 30 }).split('\n');
  expect(lines).toContain('      read until it shows,');
  expect(lines).toContain('      read-after-end × 2');
});

it('tells how much of it an exploration makes up, and from which seed', () => {
  const explored: Plan = { ...plan, explored: { requests: 100, seed: 7 } };
  expect(planText(explored, facts()).replaceAll('\n', ' ')).toContain(
    'Of these 100 requests are made up, as --seed 7 makes them up; more are sent where',
  );
  expect(planText(plan, facts())).not.toContain('made up');
});

it('takes a terminal that does not know its width for one of the usual', () => {
  expect(planText(plan, facts(), { width: 0 })).toBe(planText(plan, facts()));
});
