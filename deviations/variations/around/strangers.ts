/** Strangers that answer for a while instead of the service, and do not look like gateway errors. */

import { behind, type Service, type Variation } from '../../variation.js';
import { during } from './between.js';

const page = (status: number, headers: Record<string, string> = {}) =>
  new Response(`<html><head><title>Back soon</title></head><body><h1>We will be back soon</h1></body></html>`, {
    status,
    headers: { 'Content-Type': 'text/html', ...headers },
  });
const words = (status: number, message: string) => Response.json({ message }, { status });

/** For so many milliseconds in the middle of a run, something else answers. */
const instead = (ms: number, answer: () => Response) => during(1500, 1500 + ms, answer);

/** Every nth request is handled by something else. */
const each =
  (nth: number, other: (service: Service, request: Request) => Promise<Response>) =>
  (service: Service): Service => {
    let count = 0;
    return (request) => {
      count += 1;
      return count % nth === 0 ? other(service, request) : service(request);
    };
  };

export const strangerVariations: readonly Variation[] = behind({
  'page-of-maintenance': [instead(6000, () => page(200)), { options: { speed: 0.3 } }],
  'maintenance-in-json': [instead(3000, () => Response.json({ status: 'maintenance' })), { options: { speed: 0.3 } }],
  'keys-unknown-to-the-service-for-a-while': [
    instead(3000, () => Response.json({ code: 401, message: 'The key is not known.' }, { status: 401 })),
    { options: { speed: 0.3 } },
  ],
  'nothing-found-for-a-while': [
    instead(3000, () => Response.json({ code: 404, message: 'Not found.' }, { status: 404 })),
    { options: { speed: 0.3 } },
  ],
  'empty-for-a-while': [instead(4000, () => new Response(null)), { options: { speed: 0.3 } }],
  'fails-in-other-words': each(23, async () => words(500, 'Internal Server Error')),
  'lost-in-other-words': [
    each(23, async (service, request) => {
      await service(request);
      return new Response('error code: 520', { status: 520, headers: { 'Content-Type': 'text/plain' } });
    }),
    {
      declared: { budget: { executions: 90 } },
      untested: ['pool-is-deleted', 'deleted-pool-is-gone', 'deleted-pool-cannot-run'],
    },
  ],
  'no-route-at-times': each(23, async () => words(404, 'no Route matched with those values')),
  'nothing-found-at-times': [
    each(23, async () => Response.json({ code: 404, message: 'Not found.' }, { status: 404 })),
    { warns: ['accepted-execution-is-readable'] },
  ],
  'no-route-in-the-middle': [
    (service, clock) =>
      instead(4000, () => words(404, 'no Route matched with those values'))(
        (request) => (request.url.includes('not-a-uuid') ? Promise.resolve(page(404)) : service(request)),
        clock,
      ),
    { options: { speed: 0.3 }, untested: 'any' },
  ],
});
