import { expect, test } from 'vitest';
import { type Surroundings, variations } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';
import { profileIds } from '../../reference/fixtures.js';

const remarksOf = async (id: string | undefined): Promise<string> => {
  const variation = variations.find((one) => one.id === id);
  const faults = variation && 'behaviour' in variation ? [variation] : [];
  const { gateway } = (variation ?? {}) as Partial<Surroundings>;
  const { remarks } = await checkInProcess({ latencyMs: 20, faults, gateway });
  return remarks.join('\n');
};

test('a run tells what somebody else changed on the profile while it went on', async () => {
  const remarks = await remarksOf('others-describe');
  expect(remarks).toContain(`Somebody else changed the profile ${profileIds.profile} during the run: description`);
});

test('a run tells of a browser that used the profile', async () => {
  const remarks = await remarksOf('browser-at-work');
  expect(remarks).toContain(`A browser used the profile ${profileIds.profile} during the run`);
});

test('a run says nothing of others where there were none', async () => {
  expect(await remarksOf(undefined)).toBe('');
});
