import { expect, test } from 'vitest';
import type { Transport } from '../../conformance/engine/http/transport.js';
import { requestBody } from '../../conformance/engine/outcome/read.js';
import { checkInProcess } from '../../proof/in-process.js';
import { createReference } from '../../reference/index.js';
import { profileAlone, type Stage, stage } from '../support/interrupted.js';
import { usualTarget } from '../support/usual-run.js';

/** Makes a profile that stands for one that the operator made. */
async function disposable({ target, wire, clock }: Stage): Promise<string> {
  const url = `${target.facts.baseUrl}/agents/v2/agent-profiles/${target.facts.profile}/duplicate`;
  const headers = { 'x-service-agents-api-key': target.keys.primary ?? '' };
  const mark = { scenario: 'test', step: 'made', credential: 'primary' } as const;
  const { bytes } = await clock.run(wire({ method: 'POST', url, headers, mark, timeoutMs: 60_000 }));
  return JSON.parse(new TextDecoder().decode(bytes)).id;
}

/** Runs the suite where no copy may be made, and a disposable profile is declared. */
async function runOn(place: Stage, id: string) {
  const facts = { ...place.target.facts, scratchProfile: id, budget: { ...place.target.facts.budget, copies: 0 } };
  return place.run(undefined, { target: { ...place.target, facts }, secondPass: false });
}

test('with scratchProfile and without copies, updates are judged on it, and it ends in a plain state', async () => {
  const place = stage({}, profileAlone);
  const before = await place.profile();
  const id = await disposable(place);
  const run = await runOn(place, id);
  expect(run?.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
  const verdictOf = (rule: string) => run?.rules.find((one) => one.id === rule)?.verdict;
  expect(['update-applies', 'update-is-atomic', 'cookies-are-added', 'inbox-custom-prefix'].map(verdictOf)).toEqual(
    Array(4).fill('passed'),
  );
  expect(
    run?.evidence.exchanges.filter((one) => one.operation === 'duplicateProfile' && one.response?.status === 201),
  ).toEqual([]);
  expect(await place.profile(id)).toMatchObject({
    name: `conformance-${id}`,
    description: 'A scratch profile: each run of the conformance suite changes it.',
    extensionIds: [],
    cookies: [],
    credentials: [],
  });
  expect(await place.profile()).toEqual(before);
  await place.close();
});

test('a value of scratchProfile that the run did not send makes rules inconclusive, and violates none', async () => {
  const id: { of?: string } = {};
  let updates = 0;
  const colleague =
    (service: Transport): Transport =>
    async (request) => {
      const isUpdate = id.of !== undefined && request.method === 'PATCH' && request.url.endsWith(id.of);
      if (isUpdate) updates += 1;
      // Right before an update that sends no description.
      if (isUpdate && updates === 14) {
        const body = JSON.stringify({ description: 'For invoices only: ask Kari in Oslo' });
        await service({ ...request, body });
      }
      return service(request);
    };
  const place = stage({}, profileAlone, colleague);
  id.of = await disposable(place);
  const run = await runOn(place, id.of);
  expect(run?.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  const { why } = run?.rules.find((one) => one.id === 'update-is-partial') ?? {};
  expect(why).toMatch(/^description shows a value that this run did not send: another client may have changed/);
  await place.close();
});

test('without room for a copy, or if the key may not duplicate, rules name what they need', async () => {
  const withoutCopies = await checkInProcess({}, { target: usualTarget({ ...profileAlone, budget: { copies: 0 } }) });
  const { fixtures: target } = createReference();
  const denied = await checkInProcess(
    {
      gateway: (service) => (request) =>
        request.url.endsWith('/duplicate') && request.headers.get('x-service-agents-api-key') === target.apiKeys.primary
          ? Promise.resolve(Response.json({ code: 403, message: 'Duplicating needs another role.' }, { status: 403 }))
          : service(request),
    },
    { target: usualTarget(profileAlone) },
  );
  for (const [run, why] of [
    [withoutCopies, '0 of 0 copies exist.'],
    [denied, 'The profile could not be duplicated (403).'],
  ] as const) {
    const of = (id: string) => run.rules.find((rule) => rule.id === id);
    expect(of('update-applies')).toMatchObject({
      verdict: 'untested',
      why: `${why} To judge it, allow a copy (budget.copies) or declare scratchProfile.`,
    });
    expect(of('duplicate-copies-settings')).toMatchObject({
      verdict: 'untested',
      why: `${why} To judge it, allow a new copy (budget.copies).`,
    });
    const updates = run.evidence.exchanges.filter(
      (one) => one.operation === 'updateProfile' && one.resource === target.profile,
    );
    expect(updates.map(requestBody)).toEqual([]);
    expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  }
});
