import { expect, test } from 'vitest';
import type { Played } from '../../certify/play.js';
import { certificate } from '../../certify/report.js';
import { scripts } from '../../certify/scripts.js';
import { contract } from '../../conformance/engine/contract.js';
import { checkInProcess } from '../../proof/in-process.js';
import { exchange } from '../support/evidence.js';

const played = (id: string, more: Partial<Played> = {}): Played[] =>
  scripts.filter((script) => script.id === id).map((script) => ({ script, exchanges: [], findings: {}, ...more }));

test('a caller that had to be stopped is named, whatever its verdicts are', () => {
  const all = [
    ...played('fails', { failure: 'it did not end within 60 seconds.', isStopped: true }),
    ...played('queued', { failure: 'it ended with 1.' }),
    ...played('asynchronous'),
  ];
  expect(certificate(all, [])).toContain(
    '\n! The caller was stopped in fails: it did not end within 60 seconds.\n\nRules for callers:',
  );
  expect(certificate(all, [])).not.toMatch(/in queued|in asynchronous/);
});

test('a deprecated operation is named, once, where a caller or the suite calls it', async () => {
  const reading = exchange({ operation: 'getExecution', status: 200, body: {} });
  const all = played('asynchronous', { exchanges: [reading, reading] });
  expect(certificate(all, [])).not.toContain('deprecated');
  const { operations } = contract();
  const current = operations.getExecution;
  try {
    Object.assign(operations, { getExecution: { ...current, deprecatedPaths: [current.path] } });
    const call = 'getExecution by GET /agents/v2/executions/{executionId}';
    expect(certificate(all, []).split(`The caller calls ${call}, which is deprecated.`)).toHaveLength(2);
    const { remarks } = await checkInProcess({}, { selected: ({ id }) => id === 'unknown-execution-is-404' });
    expect(remarks).toContain(`${call} is deprecated: callers should not send it.`);
  } finally {
    Object.assign(operations, { getExecution: current });
  }
});
