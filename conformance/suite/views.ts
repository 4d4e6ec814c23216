/** Makes the evidence that judges get: groups exchanges by execution and by profile. */

import { type Operation, type OperationId, operations } from '../../generated/operations.js';
import { isOfRun } from '../engine/outcome/mark.js';
import {
  accepted,
  answerBody,
  awaits,
  isCopyRequest,
  isReadRequest,
  isRerunRequest,
  isStart,
  isStartRequest,
  readsOne,
  removes,
  startedId,
  traitsOf,
} from '../engine/outcome/read.js';
import { beforeRemoval, removalsOf } from '../engine/outcome/removals.js';
import type { History } from '../engine/recording/history.js';
import { sameId } from '../engine/rule/values.js';
import type { Evidence, Exchange, FailedWait, ProfileHistory, Trace } from '../engine/vocabulary.js';
import { ExecutionHistory } from './executions/history.js';
import { UpdateHistory } from './profiles/view.js';

declare module '../engine/vocabulary.js' {
  interface Trace {
    readonly executionId: string;
  }
  interface FailedWait {
    readonly executionId: string;
  }
  interface ProfileHistory {
    readonly profileId: string;
  }
  interface OneJob {
    readonly executionId: string;
  }
}

/** The last gathered history of each profile, by its last exchange. */
const histories = new WeakMap<Exchange, ProfileHistory>();

/** Returns the earlier object if the history has not changed, so that what was cached for it stays valid. */
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
  areSame(a.exchanges, b.exchanges) &&
  areSame(a.related ?? [], b.related ?? []);

const areSame = (a: readonly Exchange[], b: readonly Exchange[]): boolean =>
  a.length === b.length && a.every((one, place) => one === b[place]);

/** Groups exchanges, in order, into the traces of executions and the histories of profiles. */
export function gather(exchanges: readonly Exchange[], failedWaits: readonly FailedWait[] = []): Evidence {
  // Keys are in lower case, because ids are case-insensitive. Reports name a thing as it was first written.
  const traces = new Map<
    string,
    {
      executionId: string;
      start?: Exchange;
      otherStarts?: Exchange[];
      readings: Exchange[];
      waits: Exchange[];
      listings: Exchange[];
    }
  >();
  const profiles = new Map<string, { profileId: string; exchanges: Exchange[] }>();
  const trace = (executionId: string) => {
    const key = executionId.toLowerCase();
    const trace = traces.get(key) ?? { executionId, readings: [], waits: [], listings: [] };
    traces.set(key, trace);
    return trace;
  };
  const profile = (profileId: string) => {
    const key = profileId.toLowerCase();
    const history = profiles.get(key) ?? { profileId, exchanges: [] };
    profiles.set(key, history);
    return history;
  };
  const removals = exchanges.filter(removes);
  for (const exchange of exchanges) {
    const { resource } = exchange;
    const { subject, resource: about } = traitsOf(exchange) ?? {};
    if (isStartRequest(exchange)) {
      const executionId = startedId(exchange);
      if (executionId === undefined) continue;
      const of = trace(executionId);
      if (of.start || isRerunRequest(exchange)) of.otherStarts = [...(of.otherStarts ?? []), exchange];
      else of.start = exchange;
    } else if (resource === null) continue;
    else if (subject === 'profile') profile(resource).exchanges.push(exchange);
    // Other readings of an execution say nothing about its states.
    else if (readsOne(exchange, 'execution')) trace(resource).readings.push(exchange);
    else if (awaits(exchange)) trace(resource).waits.push(exchange);
    else if (subject === 'execution' && about === 'file' && isReadRequest(exchange))
      trace(resource).listings.push(exchange);
  }
  const duplications = exchanges.filter(isCopyRequest);
  // Of several duplications that were answered with one id, the first counts.
  const origins = new Map(
    duplications.toReversed().flatMap((exchange) => {
      const id = accepted(exchange) ? answerBody(exchange)?.id : undefined;
      // A profile that answers as its own copy is no copy.
      return isOfRun(exchange) && typeof id === 'string' && !sameId(id, exchange.resource)
        ? [[id.toLowerCase(), exchange] as const]
        : [];
    }),
  );
  const updatesOf = (id: string) =>
    profiles.get(id.toLowerCase())?.exchanges.filter((one) => traitsOf(one)?.effect === 'changes') ?? [];
  return {
    // Copied, because exchanges that are sent later are not part of this evidence.
    exchanges: [...exchanges],
    traces: [...traces.values()].map((parts): Trace => {
      const failedWait = failedWaits.find(({ executionId }) => sameId(executionId, parts.executionId));
      const gone = removalsOf(removals, 'execution', parts.executionId);
      const [readings, listings] = [beforeRemoval(parts.readings, gone), beforeRemoval(parts.listings, gone)];
      return Object.assign(parts, { readings, listings, ...(failedWait && { failedWait }) });
    }),
    profiles: [...profiles].map(([key, { profileId, exchanges: all }]): ProfileHistory => {
      const origin = origins.get(key);
      const copies = [...origins].filter(([, made]) => sameId(made.resource, profileId)).map(([id]) => id);
      // A duplication that answers with a profile that was there may have changed it.
      const again = duplications.filter((one) => one !== origin && sameId(answerBody(one)?.id, profileId));
      const changing = [...copies, ...(origin?.resource ? [origin.resource] : [])].flatMap((id) => updatesOf(id));
      const related = [...changing, ...again];
      return asBefore({
        profileId,
        exchanges: beforeRemoval(all, removalsOf(removals, 'profile', profileId)),
        ...(origin && { origin }),
        ...(related.length > 0 && { related }),
      });
    }),
  };
}

// Groups recorded traffic: all exchanges of one execution, and all of one profile, form a history.

/** The name of the history that an exchange belongs to. */
export function historyOf(exchange: Exchange): string | undefined {
  const { operation, resource } = exchange;
  if (isStart(exchange)) {
    const id = startedId(exchange);
    return id && `execution ${id.toLowerCase()}`;
  }
  return operation === null ? undefined : historyBy(operation, resource ?? '');
}

/** The same, as far as path and operation tell. */
export function historyBy(operation: OperationId, resource: string): string | undefined {
  const { subject, effect, resource: about }: Operation = operations[operation];
  const isReading = effect === 'reads' && (about === 'execution' || about === 'file');
  const isPart = subject === 'profile' || (subject === 'execution' && (isReading || removes({ operation })));
  return isPart ? `${subject} ${resource.toLowerCase()}` : undefined;
}

/** `name` is one that `historyOf` gave. */
export const newHistory = (name: string, exchange: Exchange): History =>
  name.startsWith('profile') ? new UpdateHistory(exchange.resource ?? '') : new ExecutionHistory(executionOf(exchange));

const executionOf = (exchange: Exchange): string => startedId(exchange) ?? exchange.resource ?? '';
