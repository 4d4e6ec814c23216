import { expect, test } from 'vitest';
import { contract, describe, type OperationId } from '../../../conformance/engine/contract.js';
import { leftBehind } from '../../../conformance/suite/hooks.js';
import { gather } from '../../../conformance/suite/views.js';
import { exchange, ids } from '../../support/evidence.js';

/** What starts an execution from another one, as a contract may have it. */
const rerun = 'rerun' as OperationId;

test('an execution that a rerun starts has no start of its own to judge, and is listed as left behind', () => {
  const today = contract();
  const { execute } = today.operations;
  const operation = { ...execute, subject: 'execution', pathParameters: ['executionId'] };
  describe({ ...today, operations: { ...today.operations, [rerun]: operation } });
  try {
    const body = { executionId: ids.pool, status: 'starting' };
    const again = {
      ...exchange({ operation: 'execute', resource: ids.execution, status: 202, body }),
      operation: rerun,
    };
    const evidence = gather([again]);
    expect(evidence.traces).toMatchObject([{ executionId: ids.pool, otherStarts: [again] }]);
    expect(evidence.traces[0]?.start).toBeUndefined();
    expect(leftBehind(evidence)).toMatchObject([{ kind: 'execution', id: ids.pool }]);
  } finally {
    describe(today);
  }
});

test('a reading of another resource of an execution is not a reading of its states', () => {
  const today = contract();
  const log = { ...today.operations.listExecutionFiles, resource: 'log' };
  describe({ ...today, operations: { ...today.operations, listExecutionFiles: log } });
  try {
    const read = exchange({ operation: 'getExecution', status: 200, body: { status: 'running' } });
    const logged = exchange({ operation: 'listExecutionFiles', status: 404 });
    expect(gather([read, logged]).traces).toMatchObject([{ readings: [read], listings: [] }]);
  } finally {
    describe(today);
  }
});
