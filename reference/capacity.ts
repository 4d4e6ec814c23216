/** Admits starts by the concurrency limit and free profiles, and starts queued runs when places come free. */

import type { Behaviour } from './behaviour/index.js';
import type { Start } from './start.js';
import type { Organization, Pool, Run } from './store.js';

export interface Capacity {
  /** Decides whether a start begins, waits or is refused, and selects its profile if it names a group. */
  admit(organization: Organization, start: Start, pool: Pool | undefined): Admission;
  /** Counts a run among the active ones. */
  occupy(run: Run): void;
  /** Frees the places of a run that has ended, and starts queued runs that now fit, oldest first. */
  release(run: Run): void;
}

type Admission = { readonly to: 'start' | 'queue' | 'reject'; readonly profileId?: string | undefined };

interface Deps {
  readonly behaviour: Behaviour;
  readonly limits: { readonly concurrency: number; readonly queue: number };
  /** Starts a queued run. */
  readonly begin: (run: Run, profileId: string | undefined) => void;
}

export function createCapacity({ behaviour, limits, begin }: Deps): Capacity {
  /** Finds room for one more run and, in a group, an unused profile; undefined if there is none. */
  const findPlace = (organization: Organization, pool: Pool | undefined) => {
    if (organization.active >= limits.concurrency) return undefined;
    if (!pool) return { profileId: undefined };
    const profileId = behaviour.freeProfile(pool, (id) => organization.profilesInUse.has(id));
    return profileId === undefined ? undefined : { profileId };
  };

  const count = (uses: Map<string, number>, id: string, by: 1 | -1) => {
    const now = (uses.get(id) ?? 0) + by;
    if (now > 0) uses.set(id, now);
    else uses.delete(id);
  };

  return {
    admit(organization, start, pool) {
      const place = findPlace(organization, pool);
      const to = behaviour.admit(place !== undefined, start);
      const full = to === 'queue' && organization.queue.length >= limits.queue;
      return { to: full ? 'reject' : to, profileId: place?.profileId };
    },

    occupy({ organization, profile }) {
      organization.active++;
      if (profile) count(organization.profilesInUse, profile.id, 1);
    },

    release(run) {
      const { organization, profile } = run;
      const { queue } = organization;
      const waiting = queue.indexOf(run);
      if (waiting >= 0) {
        queue.splice(waiting, 1);
        return;
      }
      organization.active--;
      if (profile) count(organization.profilesInUse, profile.id, -1);
      for (;;) {
        const next = behaviour.nextQueued(queue, (run) => findPlace(organization, run.pool) !== undefined);
        if (!next) return;
        queue.splice(queue.indexOf(next), 1);
        begin(next, findPlace(organization, next.pool)?.profileId);
      }
    },
  };
}
