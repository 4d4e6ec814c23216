/** Services where somebody else works with the same profile, pool or organization. */

import { keys, poolIds, profileIds, workflowIds } from '../../../reference/fixtures.js';
import { asks, everyTime } from '../../change.js';
import { ofFlags } from '../../flags.js';
import { behaving, behind, type Service, type Variation } from '../../variation.js';
import { asking } from './between.js';

/** A refusal because something is in use. */
const inUse = (status: number, what = 'profile') =>
  Response.json({ code: status, message: `The ${what} is in use.` }, { status });

/** The deletion of the pool is refused for two seconds from its first attempt. */
const poolUsedFor =
  (status: number): NonNullable<Extract<Variation, { gateway?: unknown }>['gateway']> =>
  (service, clock) => {
    let from: number | undefined;
    return (request) => {
      const isDeletion =
        request.method === 'DELETE' &&
        request.url.includes(poolIds.deletable) &&
        request.headers.get('X-Service-Agents-Api-Key') === keys.full;
      if (isDeletion) from ??= clock.now();
      return isDeletion && clock.now() - (from ?? 0) < 2000 ? Promise.resolve(inUse(status, 'pool')) : service(request);
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

/** Somebody else in the same organization sends a request at intervals. */
const also =
  (everyMs: number, method: string, path: string, body: (n: number) => object) =>
  (service: Service, clock: { now(): number }): Service => {
    let next = clock.now() + everyMs;
    let count = 0;
    return async (request) => {
      if (clock.now() >= next) {
        next = clock.now() + everyMs;
        count += 1;
        await asking(service, request, method, path, body(count));
      }
      return service(request);
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

/** Somebody else updates the profile once, right before the first request that `is` accepts. */
const once =
  (is: (request: Request) => boolean, theirs: object) =>
  (service: Service): Service => {
    let isDone = false;
    return async (request) => {
      const isNow = !isDone && is(request);
      isDone ||= isNow;
      if (isNow) await asking(service, request, 'PATCH', `/agent-profiles/${profileIds.profile}`, theirs);
      return service(request);
    };
  };

export const neighbourVariations: readonly Variation[] = [
  ...behind({
    'pool-in-use-409': poolUsedFor(409),
    'pool-in-use-423': poolUsedFor(423),
    'busy-at-times': [busyAtTimes(9), { warns: ['status-is-documented'] }],
    'others-never-stop-describing': also(10, 'PATCH', `/agent-profiles/${profileIds.profile}`, (n) => ({
      description: `edited by another ${n}`,
    })),
    'others-rename': among(24, (n) => ({ name: `Renamed ${n}` })),
    'others-add-credentials': among(8, (n) => ({ credentialsToAdd: [{ name: `Login ${n}`, data: 'theirs' }] })),
    ...ofFlags([2, 4], (one, other) => ({
      'others-turn-flags': among(10, (n) => ({ [one]: n % 2 === 0, [other]: n % 2 === 1 })),
    })),
    'others-add-a-credential': once(
      (request) =>
        asks(request, 'duplicateProfile') &&
        request.url.includes(profileIds.profile) &&
        request.headers.get('X-Service-Agents-Api-Key') === keys.full,
      { credentialsToAdd: [{ name: 'Login of accounting', data: 'theirs' }] },
    ),
    'others-run': [
      also(500, 'POST', `/workflows/${workflowIds.slow}/execute`, () => ({})),
      { options: { limits: { concurrency: 6 } } },
    ],
  }),
  ...behaving({
    'others-rerun': everyTime((one, reading) => (reading > 1 ? { ...one, hasBeenRerun: true } : one)),
  }),
];
