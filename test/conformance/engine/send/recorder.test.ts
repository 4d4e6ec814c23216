import { expect, test } from 'vitest';
import { contract, describe, type Operation } from '../../../../conformance/engine/contract.js';
import { Recorder } from '../../../../conformance/engine/send/recorder.js';
import type { RequestSpec } from '../../../../conformance/engine/send/request-spec.js';
import { VirtualClock } from '../../../../conformance/engine/send/virtual-clock.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import '../../../../conformance/suite/contract.js';
import { ids } from '../../../support/evidence.js';
import { usualTarget } from '../../../support/usual-run.js';

/** What is recorded where the contract says something else of a reading. */
async function recorded(more: Partial<Operation>, asked: Partial<RequestSpec> = {}): Promise<Exchange> {
  const today = contract();
  const getExecution = { ...today.operations.getExecution, ...more };
  describe({ ...today, operations: { ...today.operations, getExecution } });
  try {
    const transport = async () => ({ status: 200, headers: {}, bytes: new TextEncoder().encode('{}') });
    const recorder = new Recorder(usualTarget(), { transport, clock: new VirtualClock(0), seed: 1 });
    const mark = { journey: 'read', step: 'one', credential: 'primary' } as const;
    const request = { step: 'one', operation: 'getExecution', id: ids.execution, ...asked } as const;
    return await recorder.exchange(mark, request, new AbortController().signal);
  } finally {
    describe(today);
  }
}

test('what an operation without an id in its path is asked is of no thing, and so of none with a malformed id', async () => {
  const { resource } = await recorded({ path: '/agents/v2/executions', pathParameters: [] }, { id: '' });
  expect(resource).toBeNull();
});

const parameters = [
  { name: 'Purpose', required: true, sample: 'report' },
  { name: 'Note', required: false, sample: 'none' },
];

test.each<[string, Partial<RequestSpec>, string]>([
  ['the value that the contract shows', {}, 'report'],
  ['what the journey says', { query: { Purpose: 'audit' }, headers: { Purpose: 'audit' } }, 'audit'],
])('a parameter that a request may not lack has %s, and no other is sent', async (_, asked, want) => {
  const { request } = await recorded({ queryParameters: parameters, headerParameters: parameters }, asked);
  expect(new URL(request.url).search).toBe(`?Purpose=${want}`);
  expect(request.headers).toMatchObject({ purpose: want });
  expect(request.headers).not.toHaveProperty('note');
});

test('it says that it takes what the contract may answer, and sends what it takes', async () => {
  const types = { requestTypes: ['text/csv', 'application/merge-patch+json'] };
  const successes = { 200: { mediaTypes: ['text/event-stream'] } };
  const { request } = await recorded({ ...types, successes }, { body: {} });
  expect(request.headers).toMatchObject({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/merge-patch+json',
  });
});
