import { expect, test } from 'vitest';
import { runCase } from '../../proof/cases.js';

test('who fills a group alone may wait for what another journey asks of the key', async () => {
  const at = { minutes: 2, places: 5, executions: 12 };
  const { rules, minutes } = await runCase({ fault: 'keys-count-in-the-service-header-alone', at });
  expect(rules.find(({ id }) => id === 'key-is-taken-where-shown')?.verdict).toBe('violated');
  expect(minutes).toBeGreaterThan(4);
});
