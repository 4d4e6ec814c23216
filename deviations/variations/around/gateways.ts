/** Services behind gateways that lose, limit or fail some requests. */

import type { Clock } from '../../../reference/clock.js';
import { poolIds, profileIds } from '../../../reference/fixtures.js';
import { asks, asksToStart } from '../../change.js';
import { behind, type Service, type Variation } from '../../variation.js';
import { during, numbers, page, wait } from './between.js';

/** Handles a share of the requests differently, at pseudo-random. */
const sometimes =
  (part: number, instead: (service: Service, request: Request, chance: number) => Promise<Response>) =>
  (service: Service): Service => {
    const random = numbers(7);
    return (request) => {
      const chance = random();
      return chance < part ? instead(service, request, chance / part) : service(request);
    };
  };

/** A rate limit of so many requests per second, or per `ms`. */
const limited =
  (
    most: number,
    headers: (now: number) => Record<string, string>,
    ms = 1000,
    status = 429,
    body: object = { message: 'Too Many Requests' },
  ) =>
  (service: Service, clock: Clock): Service => {
    let current = 0;
    let count = 0;
    return async (request) => {
      const now = Math.floor(clock.now() / ms);
      count = now === current ? count + 1 : 1;
      current = now;
      if (count <= most) return service(request);
      return Response.json(body, { status, headers: headers(clock.now()) });
    };
  };

const slowDown = (status: number) =>
  [
    limited(20, () => ({}), 1000, status, { code: status, message: 'Slow down.' }),
    { options: { speed: 0.2 } },
  ] as const;

/** Turns a refusal for lack of capacity into one with this status and Retry-After. */
const comeBack =
  (status: number, seconds: number) =>
  (service: Service): Service =>
  async (request) => {
    const answer = await service(request);
    if (answer.status !== 429 || !asksToStart(request)) return answer;
    const body = (await answer.json()) as object;
    return Response.json({ ...body, code: status, status }, { status, headers: { 'Retry-After': `${seconds}` } });
  };

/** Lets so many requests in at once. Each takes a while before it reaches the service. */
const roomFor =
  (most: number, instead: () => Response) =>
  (service: Service, clock: Clock): Service => {
    let inside = 0;
    return async (request) => {
      if (inside === most) return instead();
      inside += 1;
      try {
        await wait(clock, 20);
        return await service(request);
      } finally {
        inside -= 1;
      }
    };
  };

const broken = (): never => {
  throw new Error('The connection broke (ECONNRESET).');
};

/** The share of requests that fail on a bad day. */
const part = 0.02;

export const gatewayVariations: readonly Variation[] = [
  ...behind({
    'unavailable-at-the-limit': [comeBack(503, 3), { options: { limits: { concurrency: 3 } } }],
    'come-back-at-the-limit': [comeBack(429, 2), { options: { limits: { concurrency: 3 } } }],
    'gateway-pages': sometimes(part, async (_service, _request, chance) => page(502 + Math.floor(chance * 3))),
    'gateway-times-out': [
      (service, clock) => (request) => Promise.race([service(request), wait(clock, 1450).then(() => page(504))]),
      { untested: 'any' },
    ],
    'cut-answers': sometimes(part, async (service, request) => {
      const answer = await service(request);
      const text = await answer.text();
      return new Response(text.slice(0, text.length / 2), { status: answer.status, headers: answer.headers });
    }),
    'reset-connections': sometimes(part, async () => broken()),
    'room-for-one': [
      roomFor(1, broken),
      {
        // The runs that fill the group end before everything was sent one by one.
        untested: ['queue-is-not-overtaken'],
      },
    ],
    'limited-pace-of-short-runs': limited(20, () => ({ 'Retry-After': '1' })),
    'limited-pace-unsaid': [limited(20, () => ({})), { options: { speed: 0.2 } }],
    'limited-pace-by-date': [
      limited(20, (now) => ({
        'Retry-After': new Date(now + 601_000).toUTCString(),
        Date: new Date(now + 600_000).toUTCString(),
      })),
      { options: { speed: 0.2 } },
    ],
    'limited-pace-as-403': slowDown(403),
    'limited-pace-as-420': slowDown(420),
    'three-requests-a-second': [limited(3, () => ({ 'Retry-After': '1' })), { options: { speed: 0.1 } }],
    'limited-by-the-minute': [
      limited(100, (now) => ({ 'X-RateLimit-Reset': `${Math.ceil((now + 1) / 60_000) * 60}` }), 60_000),
      { options: { speed: 0.05 } },
    ],
    restarts: [
      (service, clock) => during(1500, 4500, broken)(during(4500, 5500, () => page(503))(service, clock), clock),
      { options: { speed: 0.3 } },
    ],
    'no-route-for-a-while': [
      during(1000, 6000, () => new Response('default backend - 404', { status: 404 })),
      { declared: { pace: { requestsPerSecond: 5, concurrency: 1 } }, untested: 'any' },
    ],
    'away-when-copies-are-made': [
      (service, clock) => {
        const asked = new Set<boolean>();
        let until = 0;
        return async (request) => {
          const isThere = request.url.includes(profileIds.profile);
          if (asks(request, 'duplicateProfile') && !asked.has(isThere)) {
            asked.add(isThere);
            until = clock.now() + 2000;
          }
          if (clock.now() < until) return broken();
          return service(request);
        };
      },
      // Starts are lost in that time too, which spends their budget.
      { declared: { budget: { copies: 7 } } },
    ],
    'away-while-a-group-fills': (service, clock) => {
      let until: number | undefined;
      return async (request) => {
        if (asksToStart(request) && (await request.clone().text()).includes(poolIds.held)) until ??= clock.now() + 7000;
        return clock.now() < (until ?? 0) ? broken() : service(request);
      };
    },
    'sheds-load': [
      (service) => {
        let count = 0;
        return async (request) => {
          if (count >= 4) return page(503);
          count += 1;
          try {
            return await service(request);
          } finally {
            count -= 1;
          }
        };
      },
      { options: { speed: 0.3, latencyMs: 50 }, untested: 'any' },
    ],
    firewall: sometimes(part, async () => page(403)),
  }),
];
