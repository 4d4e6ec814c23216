import { expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import type { Transport } from '../../conformance/engine/http/transport.js';
import { accepted, answerBody, type Fields, requestBody } from '../../conformance/engine/outcome/read.js';
import { plan } from '../../conformance/plan.js';
import { profileIds } from '../../reference/fixtures.js';
import { profileAlone, stage, unjudged } from '../support/interrupted.js';

const note = /^A copy made by the conformance suite in the run of 2026-\S+Z, seed 1\. It may be deleted\.$/;
const atHome = { ...profileAlone, otherOrganization: undefined };

const madeBy = (run: Run | undefined): string[] =>
  (run?.evidence.exchanges ?? [])
    .filter((one) => one.operation === 'duplicateProfile' && accepted(one))
    .map((one) => String(answerBody(one)?.id));
const changedBy = (run: Run | undefined, id: string) =>
  run?.evidence.exchanges.filter((one) => one.resource === id && Object.keys(requestBody(one) ?? {}).length > 0) ?? [];
const ruleOf = (run: Run | undefined, id: string) => run?.rules.find((rule) => rule.id === id);
const wrong = (run: Run | undefined) =>
  run?.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive');
const plain = {
  description: expect.stringMatching(note),
  extensionIds: [],
  cookies: [],
  credentials: [],
  adblockActive: false,
};

test('copies that stay have a plain state and name themselves as copies; their source is unchanged', async () => {
  const { run, profile, close } = stage({}, atHome);
  const before = await profile();
  expect(before).toMatchObject({ cookies: [{}], credentials: [{}] });
  const ended = await run();
  const made = madeBy(ended);
  expect(made.length).toBeGreaterThan(2);
  for (const id of made) expect(await profile(id)).toMatchObject({ ...plain, name: `conformance-${id}` });
  expect(ended?.leftBehind.map(({ id, note: what }) => [id, what])).toEqual(
    made.map((id) => [id, expect.stringMatching(/^a copy of [\da-f-]{36}$/)]),
  );
  expect(await profile()).toEqual(before);
  await close();
});

test('cookies and credentials of the source are deleted from a copy before most of the run, and never reach another organization', async () => {
  const { run, profile, close } = stage({}, profileAlone);
  const { cookies } = (await profile()) as { cookies: { name: string }[] };
  const shows = (shown: Fields | undefined) => JSON.stringify(shown?.cookies ?? []).includes(`"${cookies[0]?.name}"`);
  const ended = await run();
  const exchanges = ended?.evidence.exchanges.filter(({ mark }) => mark?.scenario === 'profile') ?? [];
  const holding = exchanges.filter((one) => accepted(one) && shows(answerBody(one)));
  expect(holding.length).toBeGreaterThan(0);
  expect(exchanges.indexOf(holding.at(-1) as (typeof exchanges)[0])).toBeLessThan(exchanges.length / 4);
  const abroad = exchanges.filter(({ mark }) => mark?.step.startsWith('duplicate-elsewhere'));
  expect(abroad.map((one) => [accepted(one), shows(answerBody(one))])).toEqual([
    [true, false],
    [true, false],
  ]);
  await close();
});

test.each([
  ['before the service received it', false],
  ['after the service applied it', true],
])('a copy is emptied also if a firewall refuses its description, %s', async (_, isDone) => {
  const barred = new Set<string>();
  const page = new TextEncoder().encode('<html><body>403</body></html>');
  const barring =
    (service: Transport): Transport =>
    async (request) => {
      if (request.mark.step !== 'tidied' || barred.has(request.url)) return service(request);
      barred.add(request.url);
      if (isDone) await service(request);
      return { status: 403, headers: { 'content-type': 'text/html' }, bytes: page };
    };
  const { run, profile, close } = stage({}, atHome, barring);
  const ended = await run();
  expect(wrong(ended)).toEqual([]);
  expect(barred.size).toBeGreaterThan(2);
  for (const id of madeBy(ended)) expect(await profile(id)).toMatchObject(plain);
  await close();
});

test('ten runs leave as many copies as one, reuse them, and report what needs a new one', async () => {
  const { run, copies, target, knownCopies, profile, close } = stage({}, profileAlone);
  const before = await profile();
  const first = await run();
  expect(wrong(first)).toEqual([]);
  const left = copies();
  expect(left).toHaveLength(5);
  for (let turn = 2; turn <= 10; turn += 1) {
    const ended = await run(undefined, { seed: turn });
    expect(madeBy(ended)).toEqual([]);
    expect(copies()).toEqual(left);
    expect(ended?.leftBehind.map(({ id }) => id).toSorted()).toEqual([...left].toSorted());
    expect(ruleOf(ended, 'update-is-partial')?.verdict).toBe('passed');
    expect(ruleOf(ended, 'inbox-custom-prefix')?.verdict).toBe('passed');
    expect(wrong(ended)).toEqual([]);
    expect(ruleOf(ended, 'duplicate-is-new')).toMatchObject({
      verdict: 'untested',
      why: '5 of 5 copies exist. To judge it, allow a new copy (budget.copies).',
    });
  }
  expect(await profile()).toEqual(before);
  const intended = await plan(target, undefined, knownCopies);
  expect({ copies: intended.copies, leavesBehind: intended.leavesBehind }).toEqual({ copies: 0, leavesBehind: [] });
  await close();
});

test('a deleted copy makes room for a new one', async () => {
  const { run, copies, knownCopies, target, close } = stage({}, profileAlone);
  await run();
  const [baseUrl, profile] = [target.facts.baseUrl, target.facts.profile ?? ''];
  const left = (await knownCopies.of(baseUrl, profile))?.copies ?? [];
  const gone = { id: '00000000-0000-4000-8000-0000000000aa' };
  await knownCopies.write({ baseUrl, profile, copies: [gone, ...left.slice(1)] });
  const ended = await run();
  expect(copies()).not.toContain(gone.id);
  expect(copies()).toHaveLength(5);
  expect(madeBy(ended)).toHaveLength(1);
  expect(wrong(ended)).toEqual([]);
  await close();
});

test('a copy that is in use by others is left alone, and forgotten', async () => {
  const { run, copies, profile, close } = stage({}, atHome);
  await run();
  const taken = copies();
  for (const id of taken) await profile(id, { description: 'For the team in Oslo', name: `Oslo ${id}` });
  const before = await Promise.all(taken.map((id) => profile(id)));
  const ended = await run();
  expect(taken.flatMap((id) => changedBy(ended, id))).toEqual([]);
  expect(await Promise.all(taken.map((id) => profile(id)))).toEqual(before);
  expect(copies()).toEqual(madeBy(ended).toReversed());
  await close();
});

test('a run that may only read uses no copy', async () => {
  const { run, copies, target, close } = stage({}, atHome);
  await run();
  const left = copies();
  const reading = { ...target, facts: { ...target.facts, allow: 'read' as const } };
  const ended = await run(undefined, { target: reading });
  expect(ended?.evidence.exchanges.filter((one) => one.operation === 'updateProfile' && accepted(one))).toEqual([]);
  expect(copies()).toEqual(left);
  await close();
});

test.each([
  'copies-share-their-cookies',
  'cookies-are-deleted-wherever-they-are',
  'copies-follow-their-source',
  'duplicates-are-the-source',
  'all-copies-have-one-id',
])('a profile keeps its cookies and credentials in a service with the fault %s', async (fault) => {
  const { run, profile, close } = stage({ faults: [fault] }, atHome);
  const before = await profile();
  const ended = await run();
  expect(ended?.rules.some(({ verdict }) => verdict === 'violated')).toBe(true);
  expect(await profile()).toEqual(before);
  await close();
});

test('an existing profile is left alone, even if a duplication answers with it', async () => {
  const old = { id: profileIds.otherProfile, createdAt: '2020-01-01T00:00:00.000Z' };
  const someone = '00000000-0000-4000-8000-00000000dead';
  for (const id of [old.id, someone]) {
    const answering =
      (service: Transport): Transport =>
      async (request) => {
        const response = await service(request);
        if (!request.url.endsWith('/duplicate') || response.status >= 300) return response;
        const copy = JSON.parse(new TextDecoder().decode(response.bytes));
        return { ...response, bytes: new TextEncoder().encode(JSON.stringify({ ...copy, ...old, id })) };
      };
    const { run, close } = stage({}, atHome, answering);
    const ended = await run(undefined, unjudged);
    expect(madeBy(ended).length).toBeGreaterThan(0);
    expect(changedBy(ended, id)).toEqual([]);
    await close();
  }
});
