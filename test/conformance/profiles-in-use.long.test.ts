import { expect, test } from 'vitest';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference } from '../../deviations/index.js';
import { findVariation, lasting } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';

test('a profile that refuses updates while an execution uses it is updated when the execution has ended', async () => {
  const variation = findVariation('no-updates-while-used');
  if (!('behaviour' in variation)) throw new Error('It changes what the service does.');
  const service = { latencyMs: 20, faults: [variation, lasting(2)], limits: { concurrency: 5 } };
  const target = toTarget({ ...createReference(service).fixtures, budget: { executions: 12 } });
  const { rules } = await checkInProcess(service, { target });
  const verdicts = new Map(rules.map(({ id, verdict }) => [id, verdict]));
  for (const id of ['update-applies', 'cookies-are-added', 'duplicate-is-new'] as const)
    expect(verdicts.get(id), id).toBe('passed');
});
