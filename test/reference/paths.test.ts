import { expect, test, vi } from 'vitest';
import type * as generated from '../../generated/operations.js';
import { freshModules } from '../support/fresh-modules.js';

vi.mock('../../generated/operations.js', async (original) => {
  const module = await original<typeof generated>();
  const { getExecution } = module.operations;
  const more = {
    deleteExecution: { ...getExecution, method: 'DELETE' },
    searchExecutions: { ...getExecution, path: '/agents/v2/executions/search', pathParameters: [] },
  };
  const operations = { ...module.operations, ...more };
  return { ...module, operations, operationIds: Object.keys(operations) };
});

freshModules();
const { addressOf } = await import('../../conformance/engine/http/address.js');
await import('../../conformance/suite/contract.js');
const { routesOf } = await import('../../mock/route.js');
const { createReference } = await import('../../reference/index.js');

const execution = '/agents/v2/executions/9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';

test.each([
  ['GET', execution, 'getExecution'],
  ['DELETE', execution, 'deleteExecution'],
  ['GET', '/agents/v2/executions/search', 'searchExecutions'],
])('%s %s is %s', async (method, path, operation) => {
  expect(addressOf(method, `http://localhost${path}`)?.operation).toBe(operation);
  expect(routesOf(path).get(method)?.id).toBe(operation);
  let served: string | undefined;
  const service = createReference({
    seed: 1,
    report: () => {},
    faults: [
      {
        id: 'told',
        behaviour: () => ({
          receive(call) {
            served = call.operation;
            return call;
          },
        }),
      },
    ],
  });
  await service.fetch(new Request(`http://localhost${path}`, { method }));
  expect(served).toBe(operation);
  const refused = await service.fetch(new Request(`http://localhost${execution}`, { method: 'PATCH' }));
  expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, DELETE']);
  await service.close();
});
