/** Services whose readings lag behind their writes. */

import { keys, poolIds } from '../../../reference/fixtures.js';
import { asks, asksToStart } from '../../change.js';
import { behind, type Service, type Variation } from '../../variation.js';
import { keyOf } from './between.js';

interface Kept {
  readonly at: number;
  readonly status: number;
  readonly text: string;
}

const answered = ({ status, text }: Kept) =>
  new Response(text, { status, headers: { 'Content-Type': 'application/json' } });

/** Identifies a reading by URL and key: other keys get other answers. */
const nameOf = ({ url, headers }: Request): string =>
  [url, headers.get('X-Api-Key'), headers.get('X-Service-Agents-Api-Key')].join(' ');

/** Answers readings from earlier answers. `choose` selects one of the answers so far; the last is the current one. */
const readingCopies =
  (choose: (all: readonly Kept[], now: number, count: number) => Kept | undefined) =>
  (service: Service, clock: { now(): number }): Service => {
    const kept = new Map<string, Kept[]>();
    let count = 0;
    return async (request) => {
      const answer = await service(request);
      if (request.method !== 'GET' || answer.status !== 200) return answer;
      const all = kept.get(nameOf(request)) ?? [];
      kept.set(nameOf(request), all);
      const now = { at: clock.now(), status: answer.status, text: await answer.text() };
      all.push(now);
      count += 1;
      return answered(choose(all, clock.now(), count) ?? now);
    };
  };

/** A cache that keeps an answer for so many milliseconds. */
const cached = (ms: number) => {
  const since = new WeakMap<object, Kept>();
  return readingCopies((all, now) => {
    const last = since.get(all);
    if (last && now - last.at < ms) return last;
    const fresh = all.at(-1);
    if (fresh) since.set(all, fresh);
    return fresh;
  });
};

/** Answers that an execution is not found, at such addresses, for `ms` after it was accepted. */
const foundAfter =
  (ms: number, address: RegExp) =>
  (service: Service, clock: { now(): number }): Service => {
    const accepted = new Map<string, number>();
    return async (request) => {
      const answer = await service(request);
      if (asksToStart(request) && answer.ok) {
        const { executionId } = (await answer.clone().json()) as { readonly executionId: string };
        accepted.set(executionId, clock.now());
      }
      const [, id = ''] = address.exec(request.url) ?? [];
      return answer.ok && clock.now() - (accepted.get(id) ?? 0) < ms
        ? Response.json({ code: 404, message: 'The execution was not found.' }, { status: 404 })
        : answer;
    };
  };

/** Answers other deletions of a pool for `ms` after the first one. */
const deletingFor =
  (ms: number, meanwhile: () => Response) =>
  (service: Service, clock: { now(): number }): Service => {
    let deletedAt = Number.NEGATIVE_INFINITY;
    return async (request) => {
      if (!asks(request, 'deletePool') || keyOf(request) !== keys.full) return service(request);
      if (clock.now() - deletedAt < ms) return meanwhile();
      const answer = await service(request);
      if (answer.ok) deletedAt = clock.now();
      return answer;
    };
  };

export const behindVariations: readonly Variation[] = behind({
  'readings-cached-for-long': [cached(2000), { options: { speed: 0.3 } }],
  'replicas-behind': [
    readingCopies((all, now, count) => (count % 2 === 0 ? all.find(({ at }) => now - at < 500) : undefined)),
    { options: { speed: 0.3 } },
  ],
  'executions-are-found-later': [
    foundAfter(1000, /executions\/([^/]+)/),
    { options: { speed: 0.3 }, warns: ['accepted-execution-is-readable'] },
  ],
  'files-are-found-later': [foundAfter(800, /executions\/([^/]+)\/files/), { options: { speed: 0.3 } }],
  'pool-is-deleted-for-a-while': deletingFor(1500, () => new Response(null, { status: 204 })),
  'pool-is-being-deleted': deletingFor(1500, () =>
    Response.json({ code: 409, message: 'It is being deleted.' }, { status: 409 }),
  ),
  'pool-is-missed-once': (service) => {
    let missed = false;
    return async (request) => {
      if (missed || !asks(request, 'deletePool') || !request.url.endsWith(poolIds.deletable)) return service(request);
      missed = true;
      return Response.json({ code: 404, message: 'The pool was not found.' }, { status: 404 });
    };
  },
});
