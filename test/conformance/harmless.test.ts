import { expect, test } from 'vitest';
import { requestBody } from '../../conformance/engine/outcome/read.js';
import { listOf } from '../../conformance/engine/rule/values.js';
import { seeded, seedFor } from '../../conformance/engine/send/seeded.js';
import { isNoop } from '../../conformance/suite/profiles/settings.js';
import { faults, variations } from '../../deviations/index.js';
import { profileIds } from '../../reference/fixtures.js';
import { changedItself, judging, profileAlone, stage, unjudged } from '../support/interrupted.js';
import { oneWorkflow } from '../support/usual-run.js';

/** Every fault with `EVERY_FAULT=1`, which takes some minutes; else some of them, others each day. */
const sampled = 2;
/** Of what starts executions, a workflow is enough where some faults are tried. */
const declared = process.env.EVERY_FAULT ? {} : oneWorkflow;
/** It shows no profile, so what became of one cannot be seen here. */
const mute = 'updates-say-nothing';
const seen = faults.filter(({ id }) => id !== mute);
const random = seeded(seedFor(0, new Date().toISOString().slice(0, 10)));
const chosen = process.env.EVERY_FAULT
  ? seen
  : Array.from({ length: sampled }, () => seen[Math.floor(random() * seen.length)]).filter((one) => one !== undefined);

/** Without what a service that stores it anew gives itself. */
const lasting = ({ createdAt: _, cookies, credentials, ...rest }: Record<string, unknown>) => ({
  ...rest,
  cookies: listOf(cookies).map(({ id, createdAt, ...cookie }) => cookie),
  credentials: listOf(credentials).map(({ name, data }) => ({ name, data })),
});

test.each(chosen)(
  'a service with the fault $id has the profile as it was, or the report says what is not',
  async ({ id }) => {
    const { run, profile, close } = stage({ faults: [id] }, declared);
    const before = lasting(await profile());
    const ended = await run(undefined, unjudged);
    const after = lasting(await profile());
    const told = ended?.leftBehind.filter(({ kind }) => kind === 'profile settings') ?? [];
    if (told.length === 0) expect(after).toEqual(before);
    await close();
  },
);

test.each([
  ['has as many as before', profileIds.profile],
  ['that had none is told of', profileIds.otherProfile],
])('a profile whose cookies and credentials have no ids, so that nothing can be taken out of it, %s', async (_, id) => {
  const other = Object.values(profileIds).find((one) => typeof one === 'string' && one !== id);
  const { run, profile, close } = stage(
    { faults: variations.filter((one) => one.id === 'no-item-ids').filter((one) => 'behaviour' in one) },
    { ...changedItself, profile: id, otherProfile: other },
  );
  const before = lasting(await profile(id));
  const ended = await run(undefined, unjudged);
  const after = lasting(await profile(id));
  const told = ended?.leftBehind.find(({ kind }) => kind === 'profile settings');
  if (id === profileIds.profile) expect(after).toEqual(before);
  else expect(told).toMatchObject({ id, note: expect.stringMatching(/cookies added: .*conformance-/) });
  await close();
});

test('what stands in the place of a secret is never sent, nor told of as a change', async () => {
  const faults = variations.filter((one) => one.id === 'encrypted-credentials').filter((one) => 'behaviour' in one);
  const { run, close } = stage({ faults }, profileAlone);
  const ended = await run(undefined, unjudged);
  const bodies = (ended?.evidence.exchanges ?? []).map((exchange) => JSON.stringify(requestBody(exchange) ?? {}));
  expect(bodies.filter((body) => body.includes('credentialsToAdd'))).not.toEqual([]);
  expect(bodies.filter((body) => body.includes('vault:'))).toEqual([]);
  expect(ended?.leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
  await close();
});

test('a profile that is not shown is not changed', async () => {
  const { run, target, close } = stage({ faults: [mute] }, profileAlone);
  const ended = await run(undefined, judging('update-applies'));
  const { profile } = target.facts;
  const updates = ended?.evidence.exchanges.filter(
    ({ operation, resource, mark }) =>
      operation === 'updateProfile' && resource === profile && mark?.credential === 'primary',
  );
  expect(updates?.map(requestBody)).not.toEqual([]);
  for (const update of updates ?? []) expect(isNoop(requestBody(update))).toBe(true);
  expect(ended?.rules.find(({ id }) => id === 'update-applies')).toMatchObject({
    why: expect.stringContaining('so nothing was changed'),
  });
  await close();
});
