import { expect, test } from 'vitest';
import type { Transport, WireRequest } from '../../conformance/engine/http/transport.js';
import type { VirtualClock } from '../../conformance/engine/send/clock.js';
import { checkInProcess } from '../../proof/in-process.js';
import { profileAlone } from '../support/interrupted.js';
import { usualTarget } from '../support/usual-run.js';

const parsed = ({ bytes }: { bytes: Uint8Array }) => JSON.parse(new TextDecoder().decode(bytes));

/** A service whose updates take a while. `stale`: each writes back what it read of the description at its begin. */
const slow =
  (stale: boolean) =>
  (service: Transport, clock: VirtualClock): Transport => {
    const written = new Map<string, number>();
    return async (request: WireRequest) => {
      const { method, url, body } = request;
      if (method !== 'PATCH' || body === undefined) return service(request);
      const count = written.get(url) ?? 0;
      const read = await service({ ...request, body: '{}' });
      await clock.sleep(20);
      const answer = await service(request);
      const isRaced = (written.get(url) ?? 0) > count;
      if (answer.status !== 200) return answer;
      written.set(url, (written.get(url) ?? 0) + 1);
      if (!stale || !isRaced) return answer;
      const { description } = parsed(read);
      return service({ ...request, body: JSON.stringify({ description, ...JSON.parse(body) }) });
    };
  };

const target = usualTarget(profileAlone);

const violated = async (stale: boolean) =>
  (await checkInProcess({}, { target, selected: ({ id }) => id.startsWith('update-') }, slow(stale))).rules
    .filter(({ verdict }) => verdict === 'violated')
    .map(({ id, violations }) => `${id}: ${violations[0]?.expected}`);

test("two updates at the same time that keep each other's changes violate no rule", async () => {
  expect(await violated(false)).toEqual([]);
});

test('an update that overwrites a concurrent update with old values is found', async () => {
  expect(await violated(true)).toEqual([
    expect.stringMatching(/^update-applies: description .*, whatever was done at the same time$/),
  ]);
});
