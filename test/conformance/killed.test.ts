import { expect, test } from 'vitest';
import { accepted } from '../../conformance/engine/outcome/read.js';
import { profileIds } from '../../reference/fixtures.js';
import { profileAlone, stage, unjudged } from '../support/interrupted.js';
import { serviceWithOperator } from '../support/operator.js';

/** All requests with `EVERY_POINT=1` (a quarter of an hour), else some, of a run with what concerns profiles alone. */
const every = process.env.EVERY_POINT !== undefined;
const declaredIds: readonly (string | null)[] = [profileIds.profile, profileIds.otherProfile];
const marked = /^A copy made by the conformance suite in the run of 2026-\S+Z, seed 1\. It may be deleted\.$/;

test('after each request of a run the service stores the declared profiles unchanged, so a killed run leaves them so', async () => {
  const service = serviceWithOperator({});
  const before = service.declared();
  let requests = 0;
  const run = await service.run({
    transport: async (request) => {
      const response = await service.transport(request);
      requests += 1;
      expect(service.declared(), `after request ${requests}, ${request.mark.step}`).toBe(before);
      return response;
    },
  });
  expect(requests).toBe(run.requests);
  const updates = run.evidence.exchanges.filter(
    (one) => one.operation === 'updateProfile' && accepted(one) && declaredIds.includes(one.resource),
  );
  expect(updates).toEqual([]);
});

async function requestsInAll(): Promise<number> {
  const { run, close } = stage({}, profileAlone);
  const all = (await run(undefined, unjudged))?.requests ?? 0;
  await close();
  return all;
}

const all = await requestsInAll();
const moments = every ? Array.from({ length: all }, (_, place) => place + 1) : [9, 40, 110, all - 3];

test.each(moments)(
  'the next run empties the copies of a run that was killed at request %d, names them, and makes only the missing ones',
  async (nth) => {
    const { run, copies, profile, close } = stage({}, profileAlone);
    const before = await profile();
    await run({ how: 'kill', nth, handled: true });
    expect(await profile()).toEqual(before);
    const left = copies();
    const next = await run();
    expect(copies()).toEqual(expect.arrayContaining([...left]));
    expect(copies().length).toBeLessThanOrEqual(5);
    const named = next?.leftBehind.map(({ id }) => id);
    expect(named).toEqual(expect.arrayContaining([...copies()]));
    for (const id of copies()) {
      const { description, cookies, credentials } = await profile(id);
      // Copies in another organization cannot be reached.
      if (description !== undefined)
        expect({ description, cookies, credentials }, id).toEqual({
          description: expect.stringMatching(marked),
          cookies: [],
          credentials: [],
        });
    }
    expect(next?.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    await close();
  },
);

test('a run that is stopped empties its copies, and reports its results', async () => {
  const { run, copies, profile, close } = stage({}, profileAlone);
  const stopped = await run({ how: 'stop', nth: Math.floor(all / 2), handled: true }, unjudged);
  expect(stopped?.stopped).toBeDefined();
  expect(copies().length).toBeGreaterThan(1);
  for (const id of copies())
    expect(await profile(id), id).toMatchObject({
      description: expect.stringMatching(marked),
      cookies: [],
      credentials: [],
    });
  await close();
});
