import { expect, test } from 'vitest';
import { contract, describe } from '../../../../conformance/engine/contract.js';
import { Recorder } from '../../../../conformance/engine/send/recorder.js';
import { VirtualClock } from '../../../../conformance/engine/send/virtual-clock.js';
import '../../../../conformance/suite/contract.js';
import { usualTarget } from '../../../support/usual-run.js';

test('what an operation without an id in its path is asked is of no thing, and so of none with a malformed id', async () => {
  const today = contract();
  const getExecution = { ...today.operations.getExecution, path: '/agents/v2/executions', pathParameters: [] };
  describe({ ...today, operations: { ...today.operations, getExecution } });
  try {
    const transport = async () => ({ status: 200, headers: {}, bytes: new TextEncoder().encode('{}') });
    const recorder = new Recorder(usualTarget(), { transport, clock: new VirtualClock(0), seed: 1 });
    const mark = { journey: 'list', step: 'all', credential: 'primary' } as const;
    const request = { step: 'all', operation: 'getExecution', id: '' } as const;
    const { resource } = await recorder.exchange(mark, request, new AbortController().signal);
    expect(resource).toBeNull();
  } finally {
    describe(today);
  }
});
