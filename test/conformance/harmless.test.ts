import { expect, test } from 'vitest';
import { requestBody } from '../../conformance/engine/outcome/read.js';
import { seeded, seedFor } from '../../conformance/engine/send/seeded.js';
import { faults, variations } from '../../deviations/index.js';
import { profileIds } from '../../reference/fixtures.js';
import { profileAlone, stage, unjudged } from '../support/interrupted.js';
import { oneWorkflow } from '../support/usual-run.js';

/** Every fault with `EVERY_FAULT=1`, which takes some minutes; else some of them, others each day. */
const sampled = 2;
/** Of what starts executions, a workflow is enough where some faults are tried. */
const declared = process.env.EVERY_FAULT ? {} : oneWorkflow;
const random = seeded(seedFor(0, new Date().toISOString().slice(0, 10)));
const chosen = process.env.EVERY_FAULT
  ? faults
  : Array.from({ length: sampled }, () => faults[Math.floor(random() * faults.length)]).filter(
      (one) => one !== undefined,
    );

const declaredIds: readonly (string | null)[] = [profileIds.profile, profileIds.otherProfile];

test.each(chosen)('no request updates a declared profile of a service with the fault $id', async ({ id }) => {
  const { run, close } = stage({ faults: [id] }, declared);
  const ended = await run(undefined, unjudged);
  const updates = ended?.evidence.exchanges.filter(
    (one) => one.operation === 'updateProfile' && declaredIds.includes(one.resource),
  );
  expect(updates?.map(({ mark }) => mark?.step)).toEqual([]);
  await close();
});

test('a placeholder of a secret is never sent, nor reported as a change', async () => {
  const faults = variations.filter((one) => one.id === 'encrypted-credentials').filter((one) => 'behaviour' in one);
  const { run, close } = stage({ faults }, profileAlone);
  const ended = await run(undefined, unjudged);
  const bodies = (ended?.evidence.exchanges ?? []).map((exchange) => JSON.stringify(requestBody(exchange) ?? {}));
  expect(bodies.filter((body) => body.includes('credentialsToAdd'))).not.toEqual([]);
  expect(bodies.filter((body) => body.includes('vault:'))).toEqual([]);
  await close();
});
