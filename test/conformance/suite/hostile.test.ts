import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findings } from '../../../conformance/engine/rule/verdicts.js';
import type { Judge } from '../../../conformance/engine/vocabulary.js';
import { transitions } from '../../../conformance/suite/executions/gaps.js';
import { callerJudges, judges, observe } from '../../../conformance/suite/judges.js';
import { gather } from '../../../conformance/suite/views.js';
import { operationIds } from '../../../generated/operations.js';
import { gaps, type RuleId, rules } from '../../../generated/rules.js';
import { exchange, facts, ids, type Sketch } from '../../support/evidence.js';
import { example } from '../../support/sketches.js';

/** Fields that judges look into, so that what is wrong with them is met. */
const fields = Object.keys({
  ...example('getExecution', 'completed'),
  ...example('listExecutionFiles', 'files'),
  ...example('updateProfile', 'profile'),
  ...example('updateProfile', 'cookiesAndCredentials'),
  ...{
    code: 0,
    message: 0,
    detail: 0,
    instance: 0,
    executionId: 0,
    timeoutSeconds: 0,
    tempFiles: 0,
    head: 0,
    version: 0,
  },
});
const states = ['queued', 'starting', 'running', 'paused', 'completed', 'failed', 'done'];

// As JSON.parse makes them: no object is without a prototype.
const value = fc.oneof(
  { withCrossShrink: true },
  fc.jsonValue({ maxDepth: 2 }),
  // Of what has a `toString` of its own no language makes a text.
  fc.constantFrom<unknown>({ toString: 1 }, [{ toString: 'x', valueOf: null }], { toJSON: 1 }),
  fc.constantFrom<unknown>(ids.execution, ids.profile, '2026-03-02T09:00:00Z', 'not a date', -1, 1e300, ...states),
  fc.array(
    fc.dictionary(fc.constantFrom('id', 'name', 'source', 'data', 'softTimeoutMins'), fc.jsonValue({ maxDepth: 1 }), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
);
const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 12, noNullPrototype: true }),
  fc.record({ executionId: fc.constant(ids.execution), status: fc.constantFrom<unknown>(...states, 5) }),
  fc.jsonValue({ maxDepth: 2 }),
);
const steps = [
  'capacity/hold-1',
  'start/rich',
  'profile/name-255',
  'profile/duplicate',
  'pool/delete',
  'run-pauses/sync',
];

const sketch: fc.Arbitrary<Sketch> = fc
  .record({
    operation: fc.constantFrom(...operationIds, null),
    resource: fc.constantFrom(ids.execution, ids.workflow, ids.profile, ids.pool, 'x', ''),
    sent: fc.option(body, { nil: undefined }),
    status: fc.constantFrom(undefined, 200, 201, 202, 204, 302, 400, 401, 403, 404, 429, 500, 504, 999),
    body: fc.option(body, { nil: undefined }),
    at: fc.nat(5000),
    durationMs: fc.nat(500),
    rule: fc.option(fc.constantFrom<RuleId>(...rules.map(({ id }) => id)), { nil: undefined }),
    place: fc.option(fc.constantFrom(...steps), { nil: undefined }),
    asks: fc.subarray(
      gaps.map(({ id }) => id),
      { maxLength: 3 },
    ),
  })
  .map(({ rule, place, asks, status, ...rest }) => {
    const [scenario = '', step = ''] = place?.split('/') ?? [];
    const probe = rule && { rule, fault: 'a fault', controls: steps };
    return {
      ...rest,
      ...(status !== undefined && { status }),
      ...(place !== undefined && { mark: { scenario: scenario, step, asks, ...(probe && { probe }) } }),
    };
  });

test('no answer of a target makes a judge or an observer throw', () => {
  const known = facts({
    workflows: { pauses: ids.workflow },
    capacity: { profileGroup: ids.pool, size: 1, workflow: ids.workflow },
  });
  fc.assert(
    fc.property(fc.array(sketch, { maxLength: 12 }), (sketches) => {
      const evidence = gather(sketches.map((one) => exchange(one)));
      for (const judge of Object.values<Judge>({ ...judges, ...callerJudges })) findings(judge, evidence, known);
      for (const { observed } of observe(evidence, known)) expect(observed).toEqual([...new Set(observed)].sort());
      transitions(evidence);
    }),
    { numRuns: 150 },
  );
});
