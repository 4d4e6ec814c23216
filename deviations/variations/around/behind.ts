/** Services whose readings lag behind their writes. */

import { asksToStart } from '../../change.js';
import { behind, type Service, type Variation } from '../../variation.js';

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
});
