/** Rate limits that apply to some requests only, or that change. */

import type { Clock } from '../../../reference/clock.js';
import { asksToStart } from '../../change.js';
import { behind, type Service, type Surroundings, type Variation } from '../../variation.js';
import { during, page, wait } from './between.js';

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

/** Runs are slower behind all of these. */
const limited = (gateways: Readonly<Record<string, NonNullable<Surroundings['gateway']>>>): Variation[] =>
  Object.entries(gateways).map(([id, gateway]) => ({ id, options: { speed: 0.3 }, gateway }));

export const limitVariations: readonly Variation[] = [
  ...limited({
    'limited-starts': limiting(2, (request) => (asksToStart(request) ? '' : undefined)),
    'limited-starts-unsaid': limiting(2, (request) => (asksToStart(request) ? '' : undefined), {}),
    'limited-and-replaced': (service, clock) =>
      limiting(10, () => '')(
        during(1500, 4500, () => Response.json({ code: 404, message: 'Not found.' }, { status: 404 }))(service, clock),
        clock,
      ),
    'limited-and-maintained': (service, clock) =>
      limiting(10, () => '')(during(1500, 7500, () => page(200))(service, clock), clock),
  }),
  ...behind({
    'now-and-then-slow': [
      (service, clock) => {
        let count = 0;
        return async (request) => {
          count += 1;
          const isSlow = count % 40 === 0;
          const answer = await service(request);
          if (isSlow) await wait(clock, 3000);
          return answer;
        };
      },
      { options: { speed: 0.3 }, declared: { pace: { latencyGraceMs: 2000 } } },
    ],
  }),
];
