import { describe, expect, test } from 'vitest';
import { nearKeyKinds } from '../../conformance/suite/keys/headers.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { operationIds, operations } from '../../generated/operations.js';
import type { Rule } from '../../generated/rules.js';
import { checkInProcess } from '../../proof/in-process.js';
import { createReference } from '../../reference/index.js';
import { usualTarget } from '../support/usual-run.js';

/** Looks at the id before the permission, and answers what it does not find with the status. */
const all = toTarget({ ...createReference().fixtures, budget: { executions: 60 } });
const selected = ({ id }: Rule) => id === 'insufficient-permission-is-403';
const idFirst = (status: number) =>
  checkInProcess({}, { target: all, selected }, (service) => {
    const started = new Set<string>();
    return async (request) => {
      const response = await service(request);
      const { made } =
        /"(?:executionId|id)":"(?<made>[^"]+)"/.exec(Buffer.from(response.bytes).toString())?.groups ?? {};
      if (made !== undefined && request.method === 'POST') started.add(made);
      const exists =
        !/[0-9a-f]{8}-/.test(request.url) ||
        /\/[0-9a-f]0000[0-9a-f]{3}-0000-4000-8000-000000000000/.test(request.url) ||
        [...started].some((id) => request.url.includes(id));
      if (exists || ![403, 404].includes(response.status)) return response;
      return {
        ...response,
        status,
        bytes: new TextEncoder().encode(JSON.stringify({ code: status, message: 'not found' })),
      };
    };
  });

test.each([400, 404])(
  'a service that answers %i before it checks the permission is tested with real ids',
  async (status) => {
    const run = await idFirst(status);
    expect(run.rules).toMatchObject([{ verdict: 'passed' }]);
  },
);

/** What is no reading, and is asked with wrong keys so that it does no harm. */
const changing = operationIds.filter((id) => operations[id].effect !== 'reads');

describe('the keys that are tried on existing resources', async () => {
  const heard: string[] = [];
  const run = await checkInProcess(
    {},
    { target: usualTarget({ budget: { copies: 20 } }), selected: ({ id }) => /-key-is-|permission|-head-/.test(id) },
    (service) => (request) => {
      heard.push(...Object.values(request.headers).filter((value) => value.startsWith('reference')));
      return service(request);
    },
  );
  const sent = run.evidence.exchanges.filter(({ mark }) => mark?.scenario === 'real-keys');

  test('have every kind for each operation', () => {
    const words = [
      'undefined',
      'null',
      'star',
      'quote',
      'uuid',
      'number',
      'word',
      'token',
      'object',
      'hyphen',
      'bearer',
    ];
    const readAlone = ['preceded', 'joined', 'spaced', 'listed', ...words];
    const kinds = ['none', 'elsewhere', 'invalid', ...nearKeyKinds, 'restricted'];
    for (const operation of new Set(sent.map((one) => one.operation)))
      expect(
        sent
          .filter(({ operation: one, mark }) => one === operation && mark?.step === `${mark?.credential}-${operation}`)
          .map(({ mark }) => mark?.credential),
      ).toEqual(kinds.filter((kind) => operation === 'getExecution' || !readAlone.includes(kind)));
    const asked = new Set(sent.map((one) => one.operation));
    expect(operationIds.filter((id) => !asked.has(id) && operations[id].effect === 'reads')).toEqual([]);
    for (const id of changing) expect(asked).toContain(id);
  });

  test('try the restricted key with all forms of request that the full key succeeded with', () => {
    const ways = sent.filter(
      ({ mark }) => mark?.credential === 'restricted' && /-(head|baseline|duplicate-elsewhere)-/.test(mark.step),
    );
    expect(ways.map(({ operation, request }) => [operation, 'value' in request.body && request.body.value])).toEqual(
      expect.arrayContaining([
        ['execute', { head: true }],
        ['updateProfile', {}],
        ['duplicateProfile', { organizationId: '00000002-0000-4000-8000-000000000000' }],
      ]),
    );
  });

  test('change nothing if they are accepted', () => {
    const update = sent.find(({ operation }) => operation === 'updateProfile');
    expect(update?.request.body).toMatchObject({
      value: { description: expect.stringContaining('A copy made by the conformance suite') },
    });
    const starts = sent.filter(({ operation, mark }) => operation === 'execute' && mark?.credential !== 'restricted');
    for (const { request } of starts) expect(request.body).toHaveProperty('value.profileGroupId');
  });

  test('are not in the evidence, even if nearly right', () => {
    const near = [...new Set(heard)].filter((key) => !key.endsWith('-restricted'));
    expect(near.length).toBeGreaterThan(3);
    const record = JSON.stringify(run.evidence);
    for (const key of near) expect(record).not.toContain(`"${key}"`);
  });
});
