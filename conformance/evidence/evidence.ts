import type { Evidence, Exchange, FailedWait, ProfileHistory, Trace } from '../vocabulary.js';
import { accepted, acceptedExecutionId, answer, sent } from './read.js';
import { sameId } from './values.js';

const appended = <T>(to: T[] | undefined, one: T): T[] => {
  to?.push(one);
  return to ?? [one];
};

/** By their last exchanges. */
const histories = new WeakMap<Exchange, ProfileHistory>();

/** A history that is as it was when it was last gathered: what was made of it holds. */
function asBefore(history: ProfileHistory): ProfileHistory {
  const last = history.exchanges.at(-1);
  const before = last && histories.get(last);
  if (before && isSame(before, history)) return before;
  if (last) histories.set(last, history);
  return history;
}

const isSame = (a: ProfileHistory, b: ProfileHistory): boolean =>
  a.profileId === b.profileId &&
  a.origin === b.origin &&
  a.used === b.used &&
  areSame(a.exchanges, b.exchanges) &&
  areSame(a.kin ?? [], b.kin ?? []);

const areSame = (a: readonly Exchange[], b: readonly Exchange[]): boolean =>
  a.length === b.length && a.every((one, place) => one === b[place]);

/** Groups exchanges, in order, into the traces of executions and the histories of profiles. */
export function gather(exchanges: readonly Exchange[], failedWaits: readonly FailedWait[] = []): Evidence {
  const traces = new Map<string, { start?: Exchange; readings: Exchange[]; listings: Exchange[] }>();
  const profiles = new Map<string, Exchange[]>();
  const trace = (executionId: string) => {
    const known = traces.get(executionId) ?? { readings: [], listings: [] };
    traces.set(executionId, known);
    return known;
  };
  for (const exchange of exchanges) {
    const { operation, resource } = exchange;
    if (operation === 'execute' || operation === 'executeSync') {
      const executionId = acceptedExecutionId(exchange);
      if (executionId !== undefined) trace(executionId).start ??= exchange;
    } else if (resource !== null && operation === 'getExecution') trace(resource).readings.push(exchange);
    else if (resource !== null && operation === 'listExecutionFiles') trace(resource).listings.push(exchange);
    else if (resource !== null && (operation === 'updateProfile' || operation === 'duplicateProfile'))
      profiles.set(resource, appended(profiles.get(resource), exchange));
  }
  const origins = new Map(
    exchanges.flatMap((exchange) => {
      const id = exchange.operation === 'duplicateProfile' && accepted(exchange) ? answer(exchange)?.id : undefined;
      // A profile that answers as its own copy is no copy.
      return exchange.mark && typeof id === 'string' && !sameId(id, exchange.resource) ? [[id, exchange] as const] : [];
    }),
  );
  const used = new Set(exchanges.filter((one) => acceptedExecutionId(one)).map((one) => sent(one)?.profileId));
  const updates = new Map<string, Exchange[]>();
  for (const [profileId, all] of profiles) {
    const id = profileId.toLowerCase();
    const own = all.filter(({ operation }) => operation === 'updateProfile');
    updates.set(id, [...(updates.get(id) ?? []), ...own]);
  }
  const updatesOf = (id: string) => updates.get(id.toLowerCase()) ?? [];
  return {
    // What is sent later is evidence of its own.
    exchanges: [...exchanges],
    traces: [...traces].map(([executionId, parts]): Trace => {
      const failedWait = failedWaits.find((candidate) => candidate.executionId === executionId);
      return { executionId, ...parts, ...(failedWait && { failedWait }) };
    }),
    profiles: [...profiles].map(([profileId, all]): ProfileHistory => {
      const origin = origins.get(profileId);
      const copies = [...origins].filter(([, made]) => sameId(made.resource, profileId)).map(([id]) => id);
      const kin = [...copies, ...(origin?.resource ? [origin.resource] : [])].flatMap((id) => updatesOf(id));
      return asBefore({
        profileId,
        exchanges: all,
        ...(origin && { origin }),
        ...(kin.length > 0 && { kin }),
        ...(used.has(profileId) && { used: true as const }),
      });
    }),
  };
}
