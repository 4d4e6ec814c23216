import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Transport, WireRequest } from '../../conformance/engine/http/transport.js';
import { listOf } from '../../conformance/engine/rule/values.js';
import { graceMs } from '../../conformance/engine/send/clock.js';
import { noJournal, type ProfileEntry } from '../../conformance/engine/send/journal/journal.js';
import { seeded } from '../../conformance/engine/send/seeded.js';
import { restorable } from '../../conformance/suite/profiles/restorable.js';
import { idSettings } from '../../generated/flags.js';
import { changedItself, type End, judging, profileAlone, stage, unjudged } from '../support/interrupted.js';

/**
 * `EVERY_POINT=run`: every request of a run with all its journeys (takes a quarter of an hour), `EVERY_POINT=profile`: of
 * one with those of the profile; else a sample of the latter, which takes seconds.
 */
const scope = process.env.EVERY_POINT;
const declared = scope === 'run' ? {} : profileAlone;
const sampled = 4;

async function sentInAll(): Promise<number> {
  const { run, close } = stage({}, declared);
  const all = (await run(undefined, unjudged))?.requests ?? 0;
  await close();
  return all;
}

/** One of each part of the run, handled and not in turn: one for each of the tests below. */
function sample(all: number) {
  const random = seeded(20);
  return Array.from({ length: sampled }, (_, part) => ({
    nth: Math.ceil(((part + random()) * all) / sampled),
    handled: part % 2 === 0,
  }));
}

const all = await sentInAll();
const moments = scope
  ? Array.from({ length: all }, (_, at) => [true, false].map((handled) => ({ nth: at + 1, handled }))).flat()
  : sample(all);
const momentsFor = (place: number) => (scope ? moments : moments.slice(place, place + 1));

describe('a run that ends at any of its requests leaves the profile as it was', () => {
  test.each(momentsFor(2))('stopped at request $nth, handled: $handled', async (moment) => {
    const { run, profile, texts, close } = stage({}, declared);
    const before = await profile();
    const ended = await run({ how: 'stop', ...moment }, unjudged);
    expect(await profile()).toEqual(before);
    expect(texts()).toEqual([]);
    expect(ended?.leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
    await close();
  });

  test.each(momentsFor(3))('killed at request $nth, handled: $handled, by the next run', async (moment) => {
    const { run, profile, texts, close } = stage({}, declared);
    const before = await profile();
    await run({ how: 'kill', ...moment });
    const next = await run();
    expect(await profile()).toEqual(before);
    expect(texts()).toEqual([]);
    expect(next?.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    await close();
  });
});

/** What the next run keeps, where nothing was kept of the one before it. */
function emptyJournal() {
  const written: ProfileEntry[] = [];
  return { written, journal: { ...noJournal, writeProfile: async (entry: ProfileEntry) => void written.push(entry) } };
}

describe('a run that is killed at any of its requests, and of which nothing was kept', () => {
  test.each(momentsFor(1))(
    'left the profile as it was, as it changed a copy: request $nth, handled: $handled',
    async (moment) => {
      const { run, profile, close } = stage({}, declared);
      const before = await profile();
      await run({ how: 'kill', ...moment });
      expect(await profile()).toEqual(before);
      const { journal, written } = emptyJournal();
      const next = await run(undefined, { journal });
      expect(await profile()).toEqual(before);
      for (const { original } of written) expect(original).toMatchObject(settingsOf(before));
      expect(next?.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
      await close();
    },
  );

  test.each(momentsFor(0))(
    'said so in the profile, where no copy may be made: request $nth, handled: $handled',
    async (moment) => {
      const { run, profile, close } = stage({}, { ...declared, budget: { copies: 0 } });
      const before = await profile();
      await run({ how: 'kill', ...moment });
      const left = await profile();
      const isChanged = !isDeepStrictEqual(left, before);
      if (isChanged) expect(left.description).toMatch(/^Changed by the conformance suite in the run of 2026-\S+Z\. /);
      const { journal, written } = emptyJournal();
      const next = await run(undefined, { journal });
      expect(await profile()).toEqual(left);
      for (const { original } of written) expect(original).toMatchObject(settingsOf(before));
      const settings = next?.leftBehind.filter(({ kind }) => kind === 'profile settings') ?? [];
      expect(settings).toHaveLength(isChanged ? 1 : 0);
      expect(next?.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
      await close();
    },
  );
});

/** What is no list of items with secrets, which no journal holds. */
const settingsOf = (profile: Record<string, unknown>) =>
  Object.fromEntries(restorable.map((field) => [field, profile[field]]));

test('a profile that is still changed is not taken for what it was, and is said to be changed', async () => {
  const { run, profile, close } = stage({}, changedItself);
  const own = { description: 'What it is for.' };
  await profile(undefined, own);
  const before = await profile();
  expect(before).toMatchObject(own);
  await run({ how: 'kill', nth: 120, handled: true });
  expect(await profile()).not.toEqual(before);
  const { journal, written } = emptyJournal();
  const next = await run(undefined, { ...judging('profile-name-length'), journal });
  expect(written.filter(({ original }) => !isDeepStrictEqual(original.name, before.name))).toEqual([]);
  expect(next?.leftBehind).toContainEqual({
    kind: 'profile settings',
    id: before.id,
    note: expect.stringMatching(/^changed by the run of 2026-\S+, as its description says$/),
  });
  const why = next?.rules.find(({ id }) => id === 'profile-name-length');
  expect(why).toMatchObject({
    verdict: 'inconclusive',
    why: expect.stringContaining('is still changed by the run of'),
  });
  expect((await profile()).description).toMatch(/^Changed by the conformance suite/);
  // Whoever describes it anew has put it right.
  await profile(undefined, own);
  const third = await run(undefined, { ...judging('profile-name-length'), journal: emptyJournal().journal });
  expect(third?.leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
  expect(third?.rules.find(({ id }) => id === 'profile-name-length')).toMatchObject({ verdict: 'passed' });
  await close();
});

test('a run that is stopped while it puts back what another one left goes on to put it back, or leaves it to the next', async () => {
  const { run, profile, texts, close } = stage({}, changedItself);
  const before = await profile();
  await run({ how: 'kill', nth: 120, handled: true });
  expect(await profile()).not.toEqual(before);
  for (let at = 1; at <= 8 && texts().length > 0; at += 1) {
    const stopped = await run({ how: 'stop', nth: at, handled: false }, unjudged);
    const left = stopped?.leftBehind.filter(({ kind }) => kind === 'profile settings') ?? [];
    // In the first requests it is not known yet whether there is a service.
    if (at > 4) expect(left.length > 0, `request ${at}`).toBe(texts().length > 0);
  }
  await run(undefined, unjudged);
  expect(await profile()).toEqual(before);
  await close();
});

const isRestore = ({ mark }: WireRequest) => /^restore/.test(mark.step);
const answering = (status: number) => ({
  status,
  headers: { 'content-type': 'application/json' },
  bytes: new TextEncoder().encode(JSON.stringify({ code: status, message: 'busy' })),
});

describe('a profile is put back', () => {
  test('by a service that refuses for a while, whatever it answers', async () => {
    const statuses = [400, 409, 423, 429, 500, 503];
    let refusals = 0;
    const busy =
      (service: Transport): Transport =>
      (request) => {
        const status = isRestore(request) ? statuses[refusals] : undefined;
        if (status === undefined) return service(request);
        refusals += 1;
        return Promise.resolve(answering(status));
      };
    const { run, profile, close } = stage({}, changedItself, busy);
    const before = await profile();
    const ended = await run(undefined, unjudged);
    expect(refusals).toBe(6);
    expect(await profile()).toEqual(before);
    expect(ended?.leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
    await close();
  });

  test('setting by setting, where one of them is refused for good; it is told, with what it was', async () => {
    const gone =
      (service: Transport): Transport =>
      (request) =>
        isRestore(request) && request.body?.includes('description')
          ? Promise.resolve(answering(400))
          : service(request);
    const { run, profile, texts, close } = stage({}, changedItself, gone);
    const before = await profile();
    const ended = await run(undefined, unjudged);
    const { description, ...others } = await profile();
    const { description: was, ...othersBefore } = before;
    expect(others).toEqual(othersBefore);
    expect(description).not.toBe(was);
    expect(ended?.leftBehind).toContainEqual({
      kind: 'profile settings',
      id: before.id,
      note: `could not be put back: description (was ${JSON.stringify(was)})`,
    });
    expect(texts()).toHaveLength(1);
    await close();
  });

  test('within the patience of the target, however long the service refuses', async () => {
    const never =
      (service: Transport): Transport =>
      (request) =>
        isRestore(request) ? Promise.resolve(answering(409)) : service(request);
    const { run, clock, target, close } = stage({}, changedItself, never);
    const from = clock.now();
    const ended = await run(undefined, unjudged);
    expect(clock.now() - from).toBeLessThan(2 * graceMs(target.facts.pace));
    expect(ended?.leftBehind.map(({ note }) => note)).toContainEqual(
      expect.stringContaining('could not be read (refused with 409)'),
    );
    await close();
  });

  const [unset] = idSettings;

  test.runIf(unset)(
    'also what wrong bodies changed that the service took; what cannot be unset again is told',
    async () => {
      // Taken, and stored where the field exists: a service that checks nothing.
      const body = JSON.stringify({
        inboxEmailPrefix: 'taken',
        [`${unset}`]: '00000000-0000-4000-8000-00000000000f',
      });
      const lax =
        (service: Transport): Transport =>
        (request) =>
          service(
            request.method === 'PATCH' && request.mark.step.startsWith('wrong-') ? { ...request, body } : request,
          );
      const { run, profile, close } = stage({}, changedItself, lax);
      const before = await profile();
      const ended = await run(undefined, unjudged);
      const { [`${unset}`]: left, description, ...after } = await profile();
      expect({ description: before.description, ...after }).toEqual(before);
      expect(description).toContain('its settings have to be put back');
      expect(left).toBeDefined();
      expect(ended?.leftBehind.map(({ note }) => note)).toContainEqual(expect.stringContaining(`${unset} (was unset)`));
      await close();
    },
  );
});

test('the journal holds no value of a cookie or a credential', async () => {
  const { run, profile, texts, close } = stage({}, changedItself);
  const { cookies, credentials } = (await profile()) as {
    cookies: { value: string }[];
    credentials: { data: string }[];
  };
  const secrets = [...cookies.map(({ value }) => value), ...credentials.map(({ data }) => data)];
  expect(secrets.length).toBeGreaterThan(0);
  await run({ how: 'kill', nth: 90, handled: true } satisfies End);
  expect(texts()).toHaveLength(1);
  for (const secret of secrets) expect(texts()[0]).not.toContain(secret);
  await close();
});

describe('a service that loses cookies and credentials of the profile', () => {
  const lasting = ({ cookies, credentials, ...rest }: Record<string, unknown>) => ({
    ...rest,
    cookies: listOf(cookies).map(({ id: _, createdAt: __, ...cookie }) => cookie),
    credentials: listOf(credentials).map(({ name, data }) => ({ name, data })),
  });

  test.each([
    [['all-cookies-are-deleted', 'all-credentials-are-deleted']],
    [['another-cookie-is-deleted', 'another-credential-is-deleted']],
    [['added-cookies-replace-all', 'added-credentials-replace-all']],
  ])('gets them back: %j', async (faults) => {
    const { run, profile, close } = stage({ faults }, changedItself);
    const before = await profile();
    const ended = await run(undefined, unjudged);
    expect(lasting(await profile())).toEqual(lasting(before));
    expect(ended?.leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
    await close();
  });

  test('gets no mask in place of a secret', async () => {
    const written: string[] = [];
    const masking =
      (service: Transport): Transport =>
      async (request) => {
        if (request.mark.step.startsWith('restore')) written.push(request.body ?? '');
        const response = await service(request);
        const text = new TextDecoder().decode(response.bytes);
        const masked = text.replaceAll('not-a-real-secret', '••••cret').replaceAll('5f1c9a', '****9a');
        return { ...response, bytes: new TextEncoder().encode(masked) };
      };
    const faults = ['all-cookies-are-deleted', 'all-credentials-are-deleted'];
    const { run, close } = stage({ faults }, changedItself, masking);
    const ended = await run(undefined, unjudged);
    expect(written).not.toEqual([]);
    expect(written.filter((body) => /••••|\*\*\*\*/.test(body))).toEqual([]);
    const told = ended?.leftBehind.map(({ note }) => note).join();
    expect(told).toMatch(/could not be put back: .*\bcookies gone: "/);
    expect(told).toMatch(/could not be put back: .*\bcredentials gone: "/);
    await close();
  });

  test('or changes their flags is told of', async () => {
    const { run, profile, close } = stage({ faults: ['deletions-reset-other-cookies'] }, changedItself);
    const before = await profile();
    const ended = await run(undefined, unjudged);
    expect(await profile()).not.toEqual(before);
    expect(ended?.leftBehind).toContainEqual({
      kind: 'profile settings',
      id: before.id,
      note: 'could not be put back: cookies changed: "session"',
    });
    await close();
  });
});
