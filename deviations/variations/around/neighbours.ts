/** Services where somebody else works with the same profile, pool or organization. */

import { shownFlags } from '../../../generated/flags.js';
import { keys, poolIds, profileIds } from '../../../reference/fixtures.js';
import { asks, everyTime } from '../../change.js';
import { behaving, behind, type Service, type Variation } from '../../variation.js';
import { asking } from './between.js';

/** A refusal because something is in use. */
const inUse = (status: number, what = 'profile') =>
  Response.json({ code: status, message: `The ${what} is in use.` }, { status });

/** The deletion of the pool is refused for two seconds from its first attempt. */
const poolUsed: NonNullable<Extract<Variation, { gateway?: unknown }>['gateway']> = (service, clock) => {
  let from: number | undefined;
  return (request) => {
    const isDeletion =
      request.method === 'DELETE' &&
      request.url.includes(poolIds.deletable) &&
      request.headers.get('X-Service-Agents-Api-Key') === keys.full;
    if (isDeletion) from ??= clock.now();
    return isDeletion && clock.now() - (from ?? 0) < 2000 ? Promise.resolve(inUse(423, 'pool')) : service(request);
  };
};

/** Every nth update, duplication and deletion collides with one of somebody else, whatever its key. */
const busyAtTimes =
  (nth: number) =>
  (service: Service): Service => {
    let count = 0;
    return (request) => {
      const isMeant = ['PATCH', 'DELETE'].includes(request.method) || asks(request, 'duplicateProfile');
      if (isMeant) count += 1;
      return isMeant && count % nth === 0 ? Promise.resolve(inUse(409)) : service(request);
    };
  };

/** Somebody else updates the profile before every nth request. */
const among =
  (nth: number, update: (n: number) => object) =>
  (service: Service): Service => {
    let count = 0;
    return async (request) => {
      count += 1;
      const path = `/agent-profiles/${profileIds.profile}`;
      if (count % nth === 0) await asking(service, request, 'PATCH', path, update(count / nth));
      return service(request);
    };
  };

export const neighbourVariations: readonly Variation[] = [
  ...behind({
    'pool-in-use-423': poolUsed,
    'busy-at-times': [busyAtTimes(9), { warns: ['status-is-documented'] }],
    'others-rename': among(24, (n) => ({ name: `Renamed ${n}` })),
    'others-turn-flags': among(10, (n) => ({ [shownFlags[n % shownFlags.length] ?? '']: n % 3 === 0 })),
  }),
  ...behaving({
    'others-rerun': everyTime((one, reading) => (reading > 1 ? { ...one, hasBeenRerun: true } : one)),
  }),
];
