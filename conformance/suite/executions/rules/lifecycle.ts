/** interface: States and transitions; Execution, what may show only before or only after the end. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import type { RuleId } from '../../../../generated/rules.js';
import type { ExecutionStatus } from '../../../../generated/types.js';
import type { Fields } from '../../../engine/outcome/read.js';
import { answeredAt, behindMs, precedes } from '../../../engine/outcome/when.js';
import { broken, kept, unclear } from '../../../engine/rule/findings.js';
import { blur, clocksApartMs, instant, isUuid, sameId, sameInstant, shows } from '../../../engine/rule/values.js';
import { inMs, shown } from '../../../engine/rule/words.js';
import type { Exchange, Facts, Finding, Judge, Trace } from '../../../engine/vocabulary.js';
import { mayBeHeld } from '../../capacity/view.js';
import { expectedStates } from '../../expected.js';
import { ownFiles } from '../../files/view.js';
import { sameResult } from '../../same-shapes.js';
import { gaveUp, isSync, waitMs } from '../../sync/view.js';
import { eachReading } from '../each-reading.js';
import { failuresGone, unsettled } from '../settled.js';
import { superseded } from '../superseded.js';
import {
  answeredStatus,
  apartMs,
  clockStep,
  ending,
  isStop,
  lifetime,
  longestLifetime,
  type Reading,
  readings,
} from '../view.js';

/** Seen: a reading in a state that does not allow the field. Kept where it is left out. */
const only = (field: string, allowed: (status: ExecutionStatus) => boolean): Judge =>
  eachReading(({ exchange, execution, status }) => {
    if (allowed(status)) return undefined;
    return tells(execution, field)
      ? broken(exchange, `no ${field} while ${status}`, `${field} ${shown(execution[field])}`)
      : kept(exchange);
  });

/** What is recorded at the end. A result that comes a little later is added, and changes nothing. */
const final = ['terminalAt', 'executionResult'] as const;

/** What is recorded at the end, each as it was first shown after it. */
const firstShown = (ended: readonly Reading[]) =>
  final.flatMap((field) => {
    const first = ended.find(({ execution }) => shows(execution, field));
    return first ? [{ field, value: first.execution[field], first: first.exchange }] : [];
  });

const identity = ['id', 'agentId', 'organizationId', 'workflowId', 'createdAt'] as const;

function same(field: (typeof final | typeof identity)[number], a: unknown, b: unknown): boolean {
  if (field === 'executionResult') return sameResult(a, b);
  return field.endsWith('At') ? sameInstant(a, b) : sameId(a, b);
}

export const lifecycle = {
  /**
   * Seen: a reading after the end. Kept where its status, terminalAt and result are those of the end, broken as well where
   * script failures are gone.
   */
  'terminal-is-final': {
    trace(trace) {
      const end = ending(trace);
      if (!end) return undefined;
      const later = readings(trace.readings).filter(({ exchange }) => precedes(end.exchange, exchange));
      // A replica may be behind for a moment.
      const isBehind = ({ exchange, status }: Reading) =>
        !isTerminal(status) && exchange.at - answeredAt(end.exchange) < behindMs && later.at(-1)?.status === end.status;
      const told = later.filter((reading) => !isBehind(reading));
      const [finals, last] = [firstShown([end, ...told]), told.at(-1)?.execution];
      const gone = failuresGone(readings(trace.readings));
      const found = told.map(({ exchange, execution, status }) => {
        const both = [exchange, end.exchange];
        if (status !== end.status) return broken(both, `${end.status} never left`, `${status} afterwards`);
        const changed = finals.find(({ field, value, first }) => {
          if (!precedes(first, exchange) || same(field, value, execution[field])) return false;
          return exchange.at - answeredAt(first) >= behindMs || !same(field, value, last?.[field]);
        });
        if (!changed) return kept(both);
        const { field, value, first } = changed;
        return broken([exchange, first], `${field} ${shown(value)}, as at the end`, shown(execution[field]));
      });
      return [...found, ...(gone ? [gone] : [])];
    },
  },

  /**
   * Seen: an execution whose start and end were read. It was created before its start was answered, so by its own times
   * it is known when it had ended at the latest. Broken where it was read as going on after that, and not only a little.
   */
  'status-is-current': {
    trace(trace, { pace }) {
      const { start } = trace;
      const end = ending(trace);
      const lasted = end && longestLifetime(end.execution);
      // Of times in the wrong order terminal-at-only-when-terminal speaks.
      if (!start || !end || lasted === undefined || lasted < 0) return undefined;
      const stale = readings(trace.readings).find(
        ({ exchange, status }) =>
          !isTerminal(status) &&
          precedes(exchange, end.exchange) &&
          exchange.at - answeredAt(start) > lasted + behindMs + pace.latencyGraceMs,
      );
      return stale
        ? broken(
            [stale.exchange, end.exchange, start],
            `${end.status} by then: terminalAt is ${inMs(lifetime(end.execution) ?? lasted)} after createdAt`,
            `${stale.status} ${inMs(stale.exchange.at - answeredAt(start))} after its start`,
          )
        : kept([end.exchange, start]);
    },
  },

  /**
   * Seen: a run of a workflow whose states the target file names. Kept where it shows each of them; broken where it ends
   * otherwise, or patience ends before, and where runs end otherwise whenever another one of their workflow begins.
   */
  'execution-progresses': {
    run: ({ traces }, facts) => {
      const found = traces.flatMap(({ start, ...rest }) =>
        start ? expectedStates(start, facts).map((wanted) => progress({ start, ...rest }, wanted, facts, traces)) : [],
      );
      // A person may cancel or pause a run, and a site may be down for one: others of the workflow tell what it does.
      const others = (one: Progress) =>
        found.filter(({ start, wanted }) => start.resource === one.start.resource && wanted === one.wanted);
      const isAlone = (one: Progress) =>
        others(one).filter(({ strayed }) => strayed).length === 1 &&
        others(one).some(({ finding }) => finding?.kind === 'kept');
      const own = found.flatMap((one) => (one.strayed && isAlone(one) ? [] : (one.finding ?? [])));
      return [...own, ...superseded(traces, facts)];
    },
  },

  /**
   * Seen: two readings of an execution. Kept where ids and createdAt are the same in both, and so are profile, trigger and
   * storage key, where they were shown; broken as well where a file that it wrote names another agent, or where executions
   * that one key started of one workflow belong to several organizations.
   */
  'identity-is-constant': {
    trace(trace) {
      const all = readings(trace.readings);
      const [first, ...later] = all;
      if (!first) return undefined;
      const found = later.map(({ exchange, execution }) => {
        const both = [exchange, first.exchange];
        const changed = identity.find((field) => !same(field, first.execution[field], execution[field]));
        return changed === undefined
          ? kept(both)
          : broken(both, `${changed} ${shown(first.execution[changed])}, as before`, shown(execution[changed]));
      });
      const others = [ofAnotherAgent(trace, first), unsettled(all)].flatMap((one) => one ?? []);
      return [...found, ...otherProfile(trace), ...others];
    },
    run: ({ traces }) => ofSeveralOrganizations(traces),
  },

  'duration-only-when-terminal': only('duration', isTerminal),
  /**
   * Seen: a reading of a running execution that can be watched, as either URL tells. Kept where it shows a liveViewUrl, broken
   * where it shows the deprecated one alone.
   */
  'live-view-is-shown': eachReading(({ exchange, execution, status }) => {
    if (status !== 'running') return undefined;
    if (tells(execution, 'liveViewUrl')) return kept(exchange);
    return tells(execution, 'browserLiveViewUrl')
      ? broken(exchange, 'the liveViewUrl of an execution that can be watched', 'browserLiveViewUrl alone')
      : undefined;
  }),
  /**
   * Seen: a run that showed a liveViewUrl, and has ended. Kept where it shows a recordingUrl then, broken where it shows
   * none until patience ends.
   */
  'recording-is-shown': {
    trace({ readings: all }, { pace }) {
      const seen = readings(all);
      const live = seen.find(({ status, execution }) => status === 'running' && tells(execution, 'liveViewUrl'));
      const ended = seen.filter(({ status }) => isTerminal(status));
      const [first, last] = [ended[0], ended.at(-1)];
      if (!live || !first || !last) return undefined;
      if (tells(last.execution, 'recordingUrl')) return kept([last.exchange, live.exchange]);
      // It may be under way for a while.
      return last.exchange.at - answeredAt(first.exchange) >= pace.patienceSeconds * 1000
        ? broken([last.exchange, live.exchange], 'the recordingUrl of a run that had a liveViewUrl', 'none')
        : undefined;
    },
  },
  'recording-only-when-terminal': only('recordingUrl', isTerminal),
  'live-view-never-when-terminal': only('liveViewUrl', (status) => !isTerminal(status)),
  'live-view-not-before-start': only('liveViewUrl', (status) => status !== 'queued'),

  /**
   * Seen: a reading. Kept where terminalAt is left out before the end, and is not before createdAt after it; broken as well
   * where it is later than the end was read, or is createdAt of executions that went on for a while.
   */
  'terminal-at-only-when-terminal': {
    ...eachReading(({ exchange, execution, status }) => {
      const { createdAt, terminalAt } = execution;
      if (!isTerminal(status))
        return shows(execution, 'terminalAt')
          ? broken(exchange, `no terminalAt while ${status}`, `terminalAt ${shown(terminalAt)}`)
          : kept(exchange);
      const [from, to] = [instant(createdAt), instant(terminalAt)];
      if (from === undefined || to === undefined) return undefined;
      return to + blur(from, to) <= from
        ? broken(exchange, `terminalAt not before createdAt, ${shown(createdAt)}`, shown(terminalAt))
        : kept(exchange);
    }),
    // It was created after it was asked for, and had ended before that was answered.
    trace(trace) {
      const end = ending(trace);
      const { createdAt, terminalAt } = end?.execution ?? {};
      const [from, to] = [instant(createdAt), instant(terminalAt)];
      if (!trace.start || !end || from === undefined || to === undefined) return undefined;
      const most = answeredAt(end.exchange) - trace.start.at;
      return to - from > most + blur(from, to)
        ? broken(
            [end.exchange, trace.start],
            `terminalAt when it ended, ${inMs(most)} after createdAt, ${shown(createdAt)}, at most`,
            shown(terminalAt),
          )
        : undefined;
    },
    run({ traces }) {
      const found = traces.flatMap((trace) => endedAtCreation(trace) ?? []);
      // One may be that of a clock which is behind by just so much.
      return found.length > 1 ? found : undefined;
    },
  },

  /**
   * Seen: a duration after the end. Kept where it fits between createdAt and terminalAt, or, where these are not shown,
   * between the start and the reading; broken where it is longer, or shorter than the run was seen running.
   */
  'duration-is-in-seconds': {
    ...eachReading(({ exchange, execution, status }) => {
      if (!isTerminal(status) || typeof execution.duration !== 'number') return undefined;
      return (
        longerThan(execution, clocksApartMs, [exchange]) ??
        (lifetime(execution) === undefined ? undefined : kept(exchange))
      );
    }),
    trace(trace) {
      const end = ending(trace);
      const before = readings(trace.readings).filter(({ exchange }) => !end || precedes(exchange, end.exchange));
      const [first, last] = longestRunning(before);
      const duration = end?.execution.duration;
      const lasted = end && lifetime(end.execution);
      if (!end || typeof duration !== 'number') return undefined;
      if (lasted === undefined) return trace.start && withinSight(trace.start, end.exchange, duration);
      const apart = apartMs(trace);
      const longer = trace.start && longerThan(end.execution, apart, [end.exchange, trace.start]);
      if (longer || !first || !last) return longer;
      // A clock may stand still with its machine: of what was seen so much passed by the service's own.
      const passed = Math.min(1, lasted / (answeredAt(end.exchange) - (trace.start ?? first).at));
      const least = Math.floor(((last.at - answeredAt(first)) * passed - apart) / 1000);
      return duration < least
        ? broken([end.exchange, first, last], `duration in seconds, ${least} at least`, `duration ${duration}`)
        : undefined;
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;

/** A profile, where one was shown before, and it is another. */
function otherProfile({ readings: all }: Trace): Finding[] {
  const [first, ...later] = readings(all).filter(({ execution }) => isUuid(execution.agentProfileId));
  return later.flatMap(({ exchange, execution: { agentProfileId } }) =>
    first && !sameId(agentProfileId, first.execution.agentProfileId)
      ? broken(
          [exchange, first.exchange],
          `agentProfileId ${shown(first.execution.agentProfileId)}, as before`,
          shown(agentProfileId),
        )
      : [],
  );
}

/** An execution in another organization than one before it, of the same workflow and started with the same key. */
function ofSeveralOrganizations(traces: readonly Trace[]): Finding[] {
  const firsts = new Map<string, Reading>();
  return traces.flatMap(({ start, readings: all }) => {
    const [reading] = readings(all);
    if (start?.mark?.credential !== 'primary' || start.mark.probe || !start.resource || !reading) return [];
    const first = firsts.get(start.resource) ?? reading;
    firsts.set(start.resource, first);
    const [wanted, organizationId] = [first.execution.organizationId, reading.execution.organizationId];
    return isUuid(wanted) && isUuid(organizationId) && !sameId(wanted, organizationId)
      ? broken(
          [reading.exchange, first.exchange],
          `organizationId ${wanted}, as of another execution of the workflow`,
          shown(organizationId),
        )
      : [];
  });
}

/** A file that the execution wrote, and that names another agent. */
function ofAnotherAgent({ listings }: Trace, { exchange, execution: { agentId } }: Reading): Finding | undefined {
  for (const listing of listings) {
    const strange = ownFiles(listing).find((file) => isUuid(file.agentId) && !sameId(file.agentId, agentId));
    if (strange && isUuid(agentId))
      return broken([listing, exchange], `files with agentId ${agentId}, as the execution`, shown(strange.agentId));
  }
  return undefined;
}

/** Times that are less than this apart may be one. */
const tellsApartMs = 500;

/** By its times the execution ended when it was created, though it went on after that, also where replicas are behind. */
function endedAtCreation(trace: Trace): Finding | undefined {
  const { start, readings: all } = trace;
  const end = ending(trace);
  const { createdAt, terminalAt } = end?.execution ?? {};
  const at = instant(createdAt);
  if (!start || !end || at === undefined || at !== instant(terminalAt)) return undefined;
  const last = readings(all).findLast(({ status }) => !isTerminal(status))?.exchange ?? start;
  const waited = isSync(start) && gaveUp(start) ? Math.min(start.durationMs, waitMs(start) ?? 0) : 0;
  const wentOn = Math.max(waited, last.at - answeredAt(start) - behindMs);
  return wentOn > Math.max(clockStep(end.execution), tellsApartMs)
    ? broken(
        [end.exchange, last],
        `terminalAt when it ended, ${inMs(wentOn)} after createdAt, ${shown(createdAt)}, at least`,
        shown(terminalAt),
      )
    : undefined;
}

/** How far apart who watches and who runs may count the seconds. */
const sightMs = 5000;

/** A duration beside what passed for who started the execution and saw it ended. */
function withinSight(start: Exchange, end: Exchange, duration: number): Finding {
  const passedMs = answeredAt(end) - start.at;
  const most = Math.ceil((passedMs + sightMs) / 1000);
  return duration > most
    ? broken(
        [end, start],
        `duration in seconds, ${most} at most`,
        `duration ${duration}, ${inMs(passedMs)} after the start`,
      )
    : kept([end, start]);
}

/** A duration that is longer than the execution, by clocks that may be so far apart. */
function longerThan(execution: Fields, apart: number, seen: readonly Exchange[]): Finding | undefined {
  const { duration } = execution;
  const ms = lifetime(execution);
  if (typeof duration !== 'number' || ms === undefined) return undefined;
  const most = Math.ceil((ms + apart + clockStep(execution)) / 1000);
  return duration > most
    ? broken(seen, `duration in seconds, ${most} at most`, `duration ${duration} in ${ms} ms`)
    : undefined;
}

/** An empty text is no URL, and tells nothing. */
const tells = (execution: Fields, field: string): boolean => shows(execution, field) && execution[field] !== '';

/** The first and the last reading of the longest time in which nothing but running was seen: a stop may not be counted. */
function longestRunning(seen: readonly Reading[]): Exchange[] {
  let [longest, current]: Exchange[][] = [[], []];
  const lasts = (all: readonly Exchange[] = []) => (all.at(-1)?.at ?? 0) - (all[0]?.at ?? 0);
  for (const { status, exchange } of seen) {
    current = status === 'running' ? [...(current ?? []).slice(0, 1), exchange] : [];
    if (lasts(current) > lasts(longest)) longest = current;
  }
  return longest ?? [];
}

/** Whether a run came to the state that it reaches by itself. */
interface Progress {
  readonly start: Exchange;
  readonly wanted: ExecutionStatus;
  readonly finding: Finding | undefined;
  /** It came to another end, or stopped for good: not what the workflow does, if others of it do not. */
  readonly strayed: boolean;
}

function progress(
  trace: Trace & { readonly start: Exchange },
  wanted: ExecutionStatus,
  facts: Facts,
  traces: readonly Trace[],
): Progress {
  const last = readings(trace.readings).at(-1);
  const isHeld = last?.status === 'queued' && mayBeHeld(trace.start, traces, facts);
  const finding = isHeld ? undefined : reached(trace, wanted, facts);
  const strayed = finding?.kind === 'broken' && (isTerminal(last?.status ?? '') || isStop(last?.status ?? ''));
  return { start: trace.start, wanted, finding, strayed };
}

function reached(
  { start, failedWait, ...trace }: Trace & { readonly start: Exchange },
  wanted: ExecutionStatus,
  { pace }: Facts,
): Finding | undefined {
  const seen = readings(trace.readings);
  const last = seen.at(-1);
  const shows = seen.find(({ status }) => status === wanted)?.exchange;
  if (shows || answeredStatus(start) === wanted) return kept(shows ?? start);
  const exchanges = [...(last ? [last.exchange] : []), start];
  const required = `${wanted} reached within ${pace.patienceSeconds} s`;
  if (last && isTerminal(last.status)) {
    if (!isStop(wanted)) return broken(exchanges, required, `the end ${last.status}`);
    // A stop may fall between two readings, and even more into a synchronous call.
    return start.operation === 'execute'
      ? unclear(exchanges, `The run ended without having been seen ${wanted}.`)
      : undefined;
  }
  if (!failedWait) return undefined;
  const waited = `${Math.round(failedWait.waitedMs / 1000)} s`;
  if (failedWait.reason === 'patience')
    return broken(exchanges, required, `${last?.status ?? 'no status'} after ${waited}`);
  const why = {
    stopped: `The run was stopped before the execution was seen ${wanted}.`,
    stuck: `Earlier executions never left ${last?.status ?? 'their state'}, so this one was not waited for.`,
    unreadable: `The execution could not be read any more before it was seen ${wanted}.`,
  };
  return unclear(exchanges, why[failedWait.reason]);
}
