/** Several replicas of the service over one store, behind one port. */
import type { App } from './app.js';
import type { Clock } from './clock.js';

/** How long a replica may not know what was changed through another one, in milliseconds. */
const lagMs = 1000;

interface Kept {
  readonly at: number;
  readonly answer: Response;
}

/** A replica that gives a reading again for so long. */
function cached(replica: App, clock: Pick<Clock, 'now'>): App {
  const kept = new Map<string, Kept>();
  return async (request) => {
    if (request.method !== 'GET') return replica(request);
    for (const [name, { at }] of kept) {
      if (clock.now() - at < lagMs) break;
      kept.delete(name);
    }
    const name = [
      request.url,
      request.headers.get('X-Api-Key'),
      request.headers.get('X-Service-Agents-Api-Key'),
    ].join();
    const earlier = kept.get(name);
    if (earlier) return earlier.answer.clone();
    const answer = await replica(request);
    if (answer.ok) kept.set(name, { at: clock.now(), answer: answer.clone() });
    return answer;
  };
}

/** Passes each request to one of the replicas, by chance: all but the first may be behind. */
export function balanced(replicas: readonly App[], clock: Pick<Clock, 'now'>, seed = 1): App {
  const all = replicas.map((replica, place) => (place === 0 ? replica : cached(replica, clock)));
  let state = seed;
  return (request) => {
    // A generator of Lehmer: the same requests meet the same replicas in each run with a seed.
    state = (state * 48_271) % 2_147_483_647;
    const replica = all[state % all.length] as App;
    return replica(request);
  };
}
