import { expect } from 'vitest';
import { invalidBodies } from '../../../conformance/suite/invalid-bodies.js';
import { isTerminal } from '../../../generated/lifecycle.js';
import { operationIds, operations } from '../../../generated/operations.js';
import { schemas } from '../../../generated/validators.js';
import { keys } from '../../../reference/index.js';
import { type Answer, bodies, everyOperation, expectRefused, nobody, type World } from '../world.js';

/** Refusals of a start, of every kind that there is. */
const refusedStarts = async ({ call, target }: World): Promise<Answer[]> => {
  const { completes, variantMode } = target.workflows;
  const asks: [string, unknown][] = [
    [completes, { head: true, version: 1 }],
    [completes, { metadata: { a: 1 } }],
    [completes, { version: 99 }],
    [completes, { profileId: nobody }],
    [completes, { executionOptions: { softTimeoutMins: 0 } }],
    [completes, { tempFiles: [{ id: nobody, name: 'a' }] }],
    [variantMode, {}],
    [nobody, {}],
    ['not-a-uuid', {}],
  ];
  const operations = ['execute', 'executeSync'] as const;
  return Promise.all(operations.flatMap((id) => asks.map(([workflow, body]) => call(id, workflow, { body }))));
};

const refusedOthers = async ({ call, target }: World): Promise<Answer[]> => [
  await call('getExecution', nobody),
  await call('getExecution', 'x'),
  await call('updateProfile', nobody, { body: { name: 'x' } }),
  await call('updateProfile', target.profile, { body: { name: '' } }),
  await call('updateProfile', target.profile, { raw: '{' }),
  await call('duplicateProfile', nobody),
  await call('duplicateProfile', target.profile, { body: { organizationId: nobody } }),
  await call('deletePool', nobody),
  await call('getExecution', target.execution, { key: null }),
  await call('deletePool', target.pool, { key: keys.restricted }),
];

/** One answer of every operation that succeeds. */
const successes = async (world: World): Promise<Answer[]> => {
  const { call, callInTime, target } = world;
  return [
    await call('execute', target.workflows.completes, { body: {} }),
    await callInTime('executeSync', target.workflows.completes, { body: {} }),
    await callInTime('executeSync', target.workflows.slow, { body: { timeoutSeconds: 1 } }),
    await call('getExecution', target.execution),
    await call('listExecutionFiles', target.execution),
    await call('updateProfile', target.profile, { body: { description: 'x' } }),
    await call('duplicateProfile', target.profile),
    await call('deletePool', target.pool),
  ];
};

/** A 5xx, unless the service was chosen to answer so at its limit. */
const isFailure = ({ choices }: World, status: number): boolean =>
  status >= 500 && `${status}` !== choices['over-capacity-status'];

export const errorRules = {
  'unknown-execution-is-404': async ({ call }: World) => expectRefused(await call('getExecution', nobody), 404),
  'unknown-execution-files-is-404': async ({ call }: World) => {
    const answer = await call('listExecutionFiles', nobody);
    expectRefused(answer, 404);
    expect(answer.body.message).toBe(`Execution ${nobody} was not found.`);
  },
  'unknown-profile-is-404': async ({ call }: World) => {
    expectRefused(await call('updateProfile', nobody, { body: { name: 'x' } }), 404);
    expectRefused(await call('duplicateProfile', nobody), 404);
  },
  'unknown-pool-is-404': async ({ call }: World) => expectRefused(await call('deletePool', nobody), 404),
  'other-bodies-are-typed': async ({ call }: World) => {
    for (const operation of operationIds.filter((id) => operations[id].requestSchema !== null)) {
      expectRefused(await call(operation, nobody, { raw: '{"a": ' }), 400);
      for (const { body } of invalidBodies(operation)) expectRefused(await call(operation, nobody, { body }), 400);
    }
  },
  'responses-are-json': async (world: World) => {
    for (const { text } of [...(await successes(world)), ...(await refusedOthers(world))])
      if (text !== '') expect(() => JSON.parse(text)).not.toThrow();
  },
  'json-is-labelled': async (world: World) => {
    for (const { text, headers } of [...(await successes(world)), ...(await refusedOthers(world))])
      if (text !== '') expect(headers.get('content-type')).toBe('application/json');
  },
  'optional-fields-are-not-null': async (world: World) => {
    const nulls = (value: unknown): number =>
      value === null
        ? 1
        : typeof value === 'object'
          ? Object.values(value).reduce((sum, one) => sum + nulls(one), 0)
          : 0;
    for (const { text } of [...(await refusedStarts(world)), ...(await refusedOthers(world))])
      if (text !== '') expect(nulls(JSON.parse(text))).toBe(0);
    const { executionResult: _, inputs: __, ...rest } = await world.run(world.target.workflows.fails);
    expect(nulls(rest)).toBe(0);
  },
  'response-matches-schema': async (world: World) => {
    // Every answer is held to its schema where it is read; here each workflow is, in each of its states.
    await successes(world);
    const ids = await Promise.all(
      Object.values(world.target.workflows).map((workflow) =>
        world.start(
          workflow,
          workflow === world.target.workflows.variantMode ? { executionOptions: { variantKey: 'A b' } } : {},
        ),
      ),
    );
    for (let step = 0; step < 8; step++) {
      for (const id of ids) expect(schemas.Execution(await world.read(id))).toBe(true);
      for (const id of ids) expect(schemas.ExecutionFiles(await world.files(id))).toBe(true);
      await world.clock.advance(250);
    }
  },
  'status-is-documented': async (world: World) => {
    // The status of an answer with a body is held to the list where it is read.
    for (const { status } of [...(await successes(world)), ...(await refusedStarts(world))])
      expect(isFailure(world, status)).toBe(false);
    for (const [id, { status }] of await everyOperation(world, keys.full))
      expect(Object.keys(operations[id].responses).some((key) => key === `${status}` || key === '4XX')).toBe(true);
  },
  'no-server-errors': async (world: World) => {
    const answers = [...(await successes(world)), ...(await refusedStarts(world)), ...(await refusedOthers(world))];
    expect(answers.filter(({ status }) => isFailure(world, status))).toEqual([]);
    expect(world.failures).toEqual([]);
  },
  'no-secrets-in-responses': async (world: World) => {
    const answers = [...(await successes(world)), ...(await refusedStarts(world)), ...(await refusedOthers(world))];
    for (const { text } of answers) for (const key of Object.values(keys)) expect(text).not.toContain(key);
    expect((await world.call('execute', nobody, { body: {}, key: 'secret-0815' })).text).not.toContain('secret-0815');
  },
  'standard-error-shape': async (world: World) => {
    for (const { body } of await refusedStarts(world)) expect(schemas.StandardError(body)).toBe(true);
    if (world.choices['standard-error-optional-fields'] !== 'all') return;
    const { body } = await world.call('execute', world.target.workflows.completes, { body: { metadata: { a: 1 } } });
    expect(body).toEqual({
      code: 400,
      message: 'metadata.a must be a string.',
      detail: 'metadata.a must be a string.',
      errors: [{ parameter: 'metadata.a', detail: 'must be a string' }],
      instance: `/agents/v2/workflows/${world.target.workflows.completes}/execute`,
      status: 400,
      title: 'Bad request',
      type: 'about:blank',
    });
  },
  'standard-error-detail': async (world: World) => {
    for (const { body } of await refusedStarts(world)) expect(body.detail ?? body.message).toBe(body.message);
  },
  'standard-error-instance': async (world: World) => {
    const { body } = await world.call('executeSync', nobody, { body: {} });
    const path = `/agents/v2/workflows/${nobody}/execute/sync`;
    expect([undefined, path]).toContain(body.instance);
  },
  'standard-error-status': async (world: World) => {
    for (const { status, body } of await refusedStarts(world)) expect(body.status ?? status).toBe(status);
  },
  'standard-error-type': async (world: World) => {
    for (const { body } of await refusedStarts(world)) expect(body.type ?? 'about:blank').toBe('about:blank');
  },
  'standard-error-title': async (world: World) => {
    for (const { body } of await refusedStarts(world)) expect(body.title ?? 'Refused').toMatch(/^[A-Z][ \w]+$/);
  },
  'standard-error-parameter': async ({ call, target }: World) => {
    const { body } = await call('execute', target.workflows.completes, { body: { metadata: 5, head: 'yes' } });
    const names = (body.errors ?? []).map(({ parameter }: { parameter: string }) => parameter);
    expect(['head', 'metadata']).toEqual(expect.arrayContaining(names));
  },
  'simple-error-shape': async (world: World) => {
    for (const { body } of await refusedOthers(world))
      expect(body).toEqual({ code: expect.any(Number), message: expect.any(String) });
  },
  'files-error-shape': async (world: World) => {
    for (const key of [keys.full, keys.restricted, 'not-a-key', null])
      expect(schemas.FilesError((await world.call('listExecutionFiles', nobody, { key })).body)).toBe(true);
  },
  'simple-error-code': async (world: World) => {
    for (const { status, body } of await refusedOthers(world)) expect(body.code).toBe(status);
  },
  'refusals-are-client-errors': async (world: World) => {
    for (const answer of [...(await refusedStarts(world)), ...(await refusedOthers(world))]) expectRefused(answer);
  },
  'malformed-id-is-refused': async (world: World) => {
    for (const operation of operationIds) {
      const body = bodies[operation];
      const ask = body === undefined ? {} : { body };
      const { execution, profile, pool, workflows } = world.target;
      for (const id of ['x', `${execution}0`, `${profile}%20`, pool.slice(1), `${workflows.completes.slice(0, -1)}g`])
        expectRefused(await world.call(operation, id, ask), Number(world.choices['malformed-id-status']));
    }
    expect(isTerminal((await world.read(world.target.execution)).status)).toBe(true);
  },
};
