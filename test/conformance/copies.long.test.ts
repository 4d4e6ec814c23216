import { expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import type { Transport } from '../../conformance/engine/http/transport.js';
import { accepted, answerBody, type Fields, requestBody } from '../../conformance/engine/outcome/read.js';
import type { Target } from '../../conformance/engine/vocabulary.js';
import { plan } from '../../conformance/plan.js';
import { restore } from '../../conformance/restore.js';
import { profileAlone, type Stage, stage } from '../support/interrupted.js';

const note = 'A copy made by the conformance suite. It may be deleted.';

const atHome = { ...profileAlone, otherOrganization: undefined };
const allowing = (target: Target, copies: number): Target => ({
  ...target,
  facts: { ...target.facts, budget: { ...target.facts.budget, copies } },
});
const madeBy = (run: Run | undefined, like: Fields = {}): string[] =>
  (run?.evidence.exchanges ?? [])
    .filter((one) => one.operation === 'duplicateProfile' && accepted(one))
    .flatMap((one): Fields[] => [answerBody(one) ?? {}])
    .filter((copy) => Object.entries(like).every(([field, value]) => copy[field] === value))
    .map(({ id }) => String(id));
const changedBy = (run: Run | undefined, id: string) =>
  run?.evidence.exchanges.filter((one) => one.resource === id && Object.keys(requestBody(one) ?? {}).length > 0) ?? [];
const verdictOf = (run: Run | undefined, id: string) => run?.rules.find((rule) => rule.id === id)?.verdict;

test('copies that are left say what they are, and hold no cookies and credentials of their source', async () => {
  const { run, profile, close } = stage({}, atHome);
  const before = await profile();
  expect(before).toMatchObject({ cookies: [{}], credentials: [{}] });
  const ended = await run();
  const made = madeBy(ended);
  expect(made.length).toBeGreaterThan(2);
  for (const id of made) expect(await profile(id)).toMatchObject({ description: note, cookies: [], credentials: [] });
  expect(ended?.leftBehind.filter(({ kind }) => kind === 'profile').map(({ id, note: what }) => [id, what])).toEqual(
    made.map((id) => [id, expect.stringMatching(/^a copy of [\da-f-]{36}$/)]),
  );
  expect(await profile()).toEqual(before);
  await close();
});

test('so do those of a run that is stopped', async () => {
  const { run, profile, close } = stage({}, atHome);
  const whole = await run();
  const nth = whole?.evidence.exchanges.find(({ mark }) => mark?.step === 'copy-updated')?.id ?? 0;
  const stopped = await run({ how: 'stop', nth, handled: true });
  expect(stopped?.stopped).toBeDefined();
  expect(madeBy(stopped).length).toBeGreaterThan(0);
  for (const id of madeBy(stopped))
    expect(await profile(id)).toMatchObject({ description: note, cookies: [], credentials: [] });
  await close();
});

test.each([
  ['before it reached the service', false, false],
  ['after it was done', true, false],
  ['before it reached the service, of a run that is stopped', false, true],
])('nor is one kept as it is whose tidying was lost %s', async (_, isDone, isStopped) => {
  const lost = new Set<string>();
  const page = new TextEncoder().encode('<html><body>403</body></html>');
  const losing =
    (service: Transport): Transport =>
    async (request) => {
      if (request.mark.step !== 'copy-tidied' || lost.has(request.url)) return service(request);
      lost.add(request.url);
      if (isDone) await service(request);
      return { status: 403, headers: { 'content-type': 'text/html' }, bytes: page };
    };
  const { run, profile, close } = stage({}, profileAlone, losing);
  const whole = await run();
  expect(whole?.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  const nth = whole?.evidence.exchanges.find(({ mark }) => mark?.step === 'copy-updated')?.id ?? 0;
  if (isStopped) lost.clear();
  const ended = isStopped ? await run({ how: 'stop', nth, handled: true }) : whole;
  const made = madeBy(ended);
  expect(made.length).toBeGreaterThan(0);
  expect(lost.size).toBeGreaterThan(0);
  const { organizationId } = await profile();
  for (const id of madeBy(ended, { organizationId }))
    expect(await profile(id)).toMatchObject({ description: note, cookies: [], credentials: [] });
  await close();
});

test('ten runs leave as many copies as one, where the others may make none', async () => {
  const { run, target, journal, profile, close } = stage({}, atHome);
  const made = madeBy(await run());
  const none = allowing(target, 0);
  for (let turn = 2; turn <= 10; turn += 1) {
    const ended = await run(undefined, { target: none });
    expect(madeBy(ended)).toEqual([]);
    // What takes a copy is judged on one that was there.
    expect(verdictOf(ended, 'inbox-custom-prefix')).toBe('passed');
    expect(ended?.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
    // What takes a new one is not judged, and it is told what that would take.
    expect(ended?.rules.find(({ id }) => id === 'duplicate-is-new')).toMatchObject({
      verdict: 'untested',
      why: 'To judge it, allow more than 0 copies (budget.copies).',
    });
    const used = ended?.leftBehind.filter(({ note: what }) => what.includes('used again')).map(({ id }) => id);
    expect(used).toHaveLength(3);
    expect(made).toEqual(expect.arrayContaining(used ?? []));
    for (const id of made) expect(await profile(id)).toMatchObject({ description: note, cookies: [], credentials: [] });
  }
  const { duplicates, leavesBehind } = await plan(none, undefined, journal);
  expect(duplicates).toBe(0);
  expect(leavesBehind).toContain('profile: a copy that an earlier run made, used again');
  await close();
});

/** Until right after the nth request that a whole run sends. */
const killedAfter = (whole: Run | undefined, step: string) =>
  ({
    how: 'kill',
    nth: whole?.evidence.exchanges.find(({ mark }) => mark?.step === step)?.id ?? 0,
    handled: true,
  }) as const;
const untidied = async ({ journal, target }: Stage) =>
  (await journal.copies(target.facts.baseUrl)).flatMap((entry) => entry.untidied.map(({ id }) => id));

test.each(['source-after-duplicating', 'together-kept', 'copy-in-use-changed', 'copy-assigned', 'copy-kept'])(
  'the next run tidies the copies of one that was killed after %s, and so does restore',
  async (step) => {
    const slow = step === 'copy-in-use-changed' ? { ...atHome, workflows: undefined } : atHome;
    const place = stage(
      {},
      slow.workflows === undefined
        ? { otherOrganization: undefined, capacity: undefined, budget: { executions: 60 } }
        : slow,
    );
    const { run, target, journal, clock, wire, profile, close } = place;
    const end = killedAfter(await run(), step);
    expect(end.nth).toBeGreaterThan(0);
    await run(end);
    const left = await untidied(place);
    expect(left.length).toBeGreaterThan(0);
    for (const id of left) expect((await profile(id)).credentials).not.toEqual([]);
    const ended = await run();
    for (const id of left) expect(await profile(id)).toMatchObject({ description: note, cookies: [], credentials: [] });
    expect(ended?.leftBehind.filter(({ note: what }) => what.includes('killed run'))).toEqual(
      left.map((id) => ({
        kind: 'profile',
        id,
        note: expect.stringContaining('cookies and credentials were deleted'),
      })),
    );
    expect(ended?.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
    expect(await untidied(place)).toEqual([]);

    await run(end);
    const again = await untidied(place);
    expect(again.length).toBeGreaterThan(0);
    const { copies } = await clock.run(restore({ target, journal, clock, transport: wire }));
    expect(copies.map(({ id }) => id)).toEqual(again);
    for (const id of again)
      expect(await profile(id)).toMatchObject({ description: note, cookies: [], credentials: [] });
    expect(await untidied(place)).toEqual([]);
    await close();
  },
);

test('a copy of a killed run that somebody has taken into use is left alone, and told', async () => {
  const place = stage({}, atHome);
  const { run, profile, close } = place;
  await run(killedAfter(await run(), 'together-kept'));
  const left = await untidied(place);
  for (const id of left) await profile(id, { description: 'The profile of the team in Oslo' });
  const before = await Promise.all(left.map((id) => profile(id)));
  const ended = await run();
  expect(left.flatMap((id) => changedBy(ended, id))).toEqual([]);
  expect(await Promise.all(left.map((id) => profile(id)))).toEqual(before);
  expect(ended?.leftBehind.filter(({ note: what }) => what.includes('left alone')).map(({ id }) => id)).toEqual(left);
  expect(await untidied(place)).toEqual([]);
  await close();
});

test('copies of a killed run are no business of a run that may only read', async () => {
  const place = stage({}, atHome);
  const { run, target, close } = place;
  await run(killedAfter(await run(), 'together-kept'));
  const left = await untidied(place);
  const reading = { ...target, facts: { ...target.facts, allow: 'read' as const } };
  const ended = await run(undefined, { target: reading });
  expect(ended?.evidence.exchanges.filter((one) => one.operation === 'updateProfile' && accepted(one))).toEqual([]);
  expect(await untidied(place)).toEqual(left);
  await close();
});

test('a copy that somebody has taken into use is left alone, and asked for no more', async () => {
  const { run, target, journal, profile, close } = stage({}, atHome);
  const made = madeBy(await run());
  for (const id of made) await profile(id, { description: 'The profile of the team in Oslo' });
  const before = await Promise.all(made.map((id) => profile(id)));
  const ended = await run(undefined, { target: allowing(target, 0) });
  expect(made.flatMap((id) => changedBy(ended, id))).toEqual([]);
  expect(await Promise.all(made.map((id) => profile(id)))).toEqual(before);
  expect(await journal.copies(target.facts.baseUrl)).toMatchObject([{ copies: [], untidied: [] }]);
  await close();
});

test('what a key cannot reach in another organization is told with what it holds', async () => {
  const { run, close } = stage({}, profileAlone);
  const ended = await run();
  const elsewhere = ended?.evidence.exchanges.find(({ mark }) => mark?.step === 'duplicate-elsewhere');
  expect(ended?.leftBehind).toContainEqual({
    kind: 'profile',
    id: elsewhere && answerBody(elsewhere)?.id,
    note: expect.stringMatching(/^a copy of .*, with its cookies and credentials$/),
  });
  expect(ended?.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  await close();
});

test.each([
  'copies-share-their-cookies',
  'copies-share-their-state',
  'copies-follow-their-source',
  'duplicates-are-the-source',
  'all-copies-have-one-id',
])('a profile is left as it was where %s', async (fault) => {
  const { run, profile, close } = stage({ faults: [fault] }, atHome);
  const before = await profile();
  expect(before).toMatchObject({ cookies: [{}], credentials: [{}] });
  const ended = await run();
  expect(ended?.rules.some(({ verdict }) => verdict === 'violated')).toBe(true);
  expect(await profile()).toEqual(before);
  expect(ended?.leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
  await close();
});

test('a profile that was there before is left alone, though a duplication answers with it', async () => {
  const old = '2020-01-01T00:00:00.000Z';
  const wrong =
    (service: Transport): Transport =>
    async (request) => {
      const response = await service(request);
      if (!request.url.endsWith('/duplicate') || response.status >= 300) return response;
      const copy = JSON.parse(new TextDecoder().decode(response.bytes));
      const shown = { ...copy, createdAt: old, cookies: [], credentials: [] };
      return { ...response, bytes: new TextEncoder().encode(JSON.stringify(shown)) };
    };
  const { run, close } = stage({}, atHome, wrong);
  const ended = await run(undefined);
  const made = madeBy(ended);
  expect(made.length).toBeGreaterThan(1);
  expect(made.flatMap((id) => changedBy(ended, id))).toEqual([]);
  await close();
});
