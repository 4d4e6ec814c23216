/** Rate limits that apply to some requests only, or that change. */

import type { Clock } from '../../../reference/clock.js';
import { keys } from '../../../reference/fixtures.js';
import { asksToStart } from '../../change.js';
import type { Service, Surroundings, Variation } from '../../variation.js';
import { keyOf, numbers, wait } from './between.js';

interface Bucket {
  left: number;
  at: number;
}

/** A rate limit of `most` requests per second for each name, with bursts of as many. */
const limiting =
  (
    most: number,
    nameOf: (request: Request) => string | undefined,
    headers: Readonly<Record<string, string>> = { 'Retry-After': '1' },
  ) =>
  (service: Service, clock: Clock): Service => {
    const buckets = new Map<string, Bucket>();
    return async (request) => {
      const name = nameOf(request);
      if (name === undefined) return service(request);
      const bucket = buckets.get(name) ?? { left: most, at: clock.now() };
      buckets.set(name, bucket);
      bucket.left = Math.min(most, bucket.left + ((clock.now() - bucket.at) / 1000) * most);
      bucket.at = clock.now();
      if (bucket.left < 1) return Response.json({ message: 'Too Many Requests' }, { status: 429, headers });
      bucket.left -= 1;
      return service(request);
    };
  };

const limited = (id: string, says: string, gateway: NonNullable<Surroundings['gateway']>): Variation => ({
  id,
  says,
  options: { speed: 0.3 },
  gateway,
});

export const limitVariations: readonly Variation[] = [
  limited('limited-by-key', 'Each key may ask eight times a second.', limiting(8, keyOf)),
  limited(
    'limited-by-resource',
    'Each address may be asked twice a second.',
    limiting(2, ({ url }) => url),
  ),
  limited(
    'limited-starts',
    'Two executions may be asked for in a second.',
    limiting(2, (request) => (asksToStart(request) ? '' : undefined)),
  ),
  limited(
    'limited-starts-unsaid',
    'Two executions may be asked for in a second; nothing says when to come back.',
    limiting(2, (request) => (asksToStart(request) ? '' : undefined), {}),
  ),
  limited(
    'limited-updates',
    'Three updates may be asked for in a second.',
    limiting(3, ({ method }) => (method === 'PATCH' ? '' : undefined)),
  ),
  limited(
    'limited-and-replaced',
    'More than ten requests in a second are refused, and for three seconds nothing is found behind that.',
    (service, clock) => {
      const from = clock.now() + 1500;
      const isAway = () => clock.now() > from && clock.now() < from + 3000;
      const replaced: Service = (request) =>
        isAway()
          ? Promise.resolve(Response.json({ code: 404, message: 'Not found.' }, { status: 404 }))
          : service(request);
      return limiting(10, () => '')(replaced, clock);
    },
  ),
  limited(
    'limited-and-maintained',
    'More than ten requests in a second are refused, and for six seconds a page of maintenance is behind that.',
    (service, clock) => {
      const from = clock.now() + 1500;
      const isAway = () => clock.now() > from && clock.now() < from + 6000;
      const page = () => new Response('<html><h1>Back soon</h1></html>', { headers: { 'Content-Type': 'text/html' } });
      return limiting(10, () => '')((request) => (isAway() ? Promise.resolve(page()) : service(request)), clock);
    },
  ),
  {
    ...limited('uneven-ways', 'Each request takes up to 0.6 s on its way, and each otherwise.', (service, clock) => {
      const random = numbers(5);
      return async (request) => {
        await wait(clock, random() * 600);
        return service(request);
      };
    }),
    declared: { pace: { latencyGraceMs: 2000 } },
    untested: 'any',
  },
  {
    ...limited('now-and-then-slow', 'Every fortieth answer takes three seconds.', (service, clock) => {
      let count = 0;
      return async (request) => {
        count += 1;
        const isSlow = count % 40 === 0;
        const answer = await service(request);
        if (isSlow) await wait(clock, 3000);
        return answer;
      };
    }),
    declared: { pace: { latencyGraceMs: 2000 } },
  },
  {
    id: 'wrong-keys-wait',
    says: 'Who has no right key is told so after a second.',
    gateway: (service, clock) => async (request) => {
      if (keyOf(request) !== keys.full && keyOf(request) !== keys.restricted) await wait(clock, 1000);
      return service(request);
    },
    declared: { pace: { latencyGraceMs: 2000 } },
  },
];
