/** interface: POST execute; States and transitions. */
import { isTerminal } from '../../../../generated/lifecycle.js';
import type { RuleId } from '../../../../generated/rules.js';
import { isMeantToPass } from '../../../engine/outcome/expected.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  answer,
  type Fields,
  isFields,
  isStart,
  refused,
  sent,
  status,
} from '../../../engine/outcome/read.js';
import { answeredAt, precedes } from '../../../engine/outcome/when.js';
import { broken, kept, notTaken, unclear } from '../../../engine/rule/findings.js';
import { isUuid, sameId } from '../../../engine/rule/values.js';
import { answerText, noAnswer, shown } from '../../../engine/rule/words.js';
import type { Exchange, Facts, Finding, Judge, Trace } from '../../../engine/vocabulary.js';
import { groupOf, surelyUntil } from '../../capacity/view.js';
import { answeredStatus, asksToQueue, lifetime, readings } from '../../executions/view.js';
import { asksOnlyAccepted } from '../asked.js';
import { refusedTogether } from '../refused-together.js';
import { startedTwice } from '../started-twice.js';

/** Which version a start asks for, in words. */
function selection(start: Exchange): string | undefined {
  const { head, version } = sent(start) ?? {};
  if (head === true) return version === undefined ? 'the head' : undefined;
  return Number.isInteger(version) ? `version ${version}` : undefined;
}

const options = (start: Exchange): Fields => {
  const { executionOptions } = sent(start) ?? {};
  return isFields(executionOptions) ? executionOptions : {};
};

/** A key that the server has to make a slug of. */
const needsSlug = ({ variantKey }: Fields) =>
  typeof variantKey === 'string' && !/^[a-z0-9][a-z0-9._-]*$/.test(variantKey);

/** Whether each folder of a path has a name of its own. What else a storage key is made of is left open. */
const isPath = (key: string) =>
  key.split('/').every((name) => !['', '.', '..'].includes(name)) &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  !/[\\\u0000-\u001f\u007f]/.test(key);

/** Whether a storage key has the variantKey in it as it was sent, though that would be more than one folder. */
const isAsSent = (key: string, { variantKey }: Fields) =>
  typeof variantKey === 'string' && variantKey.includes('/') && key.includes(variantKey);

const isQueued = (start: Exchange): boolean => answeredStatus(start) === 'queued';

/** Whether a start takes no profile: then only the limit of the organization can make it wait. */
const isUnbound = (start: Exchange): boolean =>
  ['profileId', 'profileGroupId', 'agentProfileId', 'agentProfilePoolId'].every(
    (field) => sent(start)?.[field] === undefined,
  );

/** Sent so soon after an answer that others seldom make room between. */
const soonMs = 2000;

/** A start that was queued for want of a profile, where one that would not wait took one right after it, more than once. */
function queuedThoughFree(exchanges: readonly Exchange[], { profileGroup, capacity }: Facts): Finding | undefined {
  if (profileGroup === undefined || sameId(profileGroup, capacity?.profileGroup)) return undefined;
  const starts = exchanges.filter(
    (one) =>
      one.operation === 'execute' &&
      one.mark?.credential === 'primary' &&
      sameId(sent(one)?.profileGroupId, profileGroup),
  );
  const pairs = starts.filter(isQueued).flatMap((queued) => {
    const next = starts.find((one) => precedes(queued, one));
    const isSoon = next && next.at - answeredAt(queued) < soonMs && answeredStatus(next) === 'starting';
    return isSoon && !asksToQueue(next) ? [queued, next] : [];
  });
  return pairs.length > 2
    ? broken(pairs, 'status starting while the group has a profile to spare', 'status queued, each time')
    : undefined;
}

/**
 * Starts with empty inputs or metadata that were refused, though later ones that ask for the same beside were taken: an
 * empty object has nothing in it to refuse.
 */
function refusedEmpty(exchanges: readonly Exchange[]): Finding[] {
  const isEmpty = (value: unknown) => isFields(value) && Object.keys(value).length === 0;
  return exchanges
    .filter((one) => one.operation === 'execute' && isMeantToPass(one) && outcomeOf(one).kind === 'refused')
    .filter((one) => isUnbound(one) && [sent(one)?.inputs, sent(one)?.metadata].every(isEmpty))
    .flatMap((one) => {
      const { journey, step } = one.mark ?? {};
      // It may have been refused several times.
      const first = exchanges.find(({ mark }) => mark?.journey === journey && mark?.step === step) ?? one;
      const later = exchanges.find(
        (other) => other.operation === 'execute' && isUnbound(other) && accepted(other) && !precedes(other, first),
      );
      return later && asksOnlyAccepted(one, [], exchanges)
        ? broken([one, later], 'a start with empty inputs and metadata accepted')
        : [];
    });
}

/** No workflow that is declared as slow ends sooner. */
const slowAtLeastMs = 1000;
/** Whoever waits for the end of a run is answered then; what was measured of both may differ a little. */
const nearly = 0.9;
/** Nobody waits for the end of a run for so little. */
const atOnceMs = 250;

/** How long an answer to a start took, beside what an answer of this target takes anyway. */
const waited = ({ start, readings: all }: Pick<Trace, 'start' | 'readings'>): number =>
  (start?.durationMs ?? 0) - Math.max(...all.map(({ durationMs }) => durationMs));

/** Whether another start took as long to be answered, though its run was over long before. */
function isSlowAnyway({ start, readings: all }: Trace, than: Exchange): boolean {
  if (start?.operation !== 'execute' || !accepted(start)) return false;
  const lasted = lifetime(readings(all).at(-1)?.execution ?? {});
  return start.durationMs >= than.durationMs * nearly && lasted !== undefined && lasted < start.durationMs / 2;
}

/** The start of a run that goes on after an answer that does not wait for it. */
function ofSlow(
  { start, readings: all }: Trace,
  traces: readonly Trace[],
  slow: string | undefined,
): Finding | undefined {
  if (start?.operation !== 'execute' || start.resource !== slow) return undefined;
  const [first] = readings(all);
  if (!first) return undefined;
  if (!isTerminal(first.status)) return kept([start, first.exchange]);
  // What an answer of this target takes anyway is no waiting.
  const long = waited({ start, readings: all });
  const told = lifetime(first.execution);
  const lasted = told ?? slowAtLeastMs;
  // As soon as anything is answered here, however short the run.
  if (long < atOnceMs && lasted < slowAtLeastMs) return kept([start, first.exchange]);
  // By the service's own clock it went on long after the answer, whenever it was read.
  if (told !== undefined && start.durationMs < told / 2) return kept([start, first.exchange]);
  if (long >= lasted * nearly && !traces.some((other) => isSlowAnyway(other, start)))
    return broken(
      [start, first.exchange],
      'an answer before the run has ended',
      `an answer after ${Math.round(start.durationMs)} ms, of a run that lasted ${Math.round(lasted)} ms`,
    );
  const late = Math.round(answeredAt(first.exchange) - start.at);
  return (
    start.mark && unclear([start, first.exchange], `The run was first read ${late} ms after its start, and had ended.`)
  );
}

/** A start that is answered as queued when it is not any more: what held its group ended before the answer came. */
function heldBack({ start, readings: all }: Trace, traces: readonly Trace[]): Finding | undefined {
  const [first] = readings(all);
  if (!start || !first || first.status === 'queued') return undefined;
  const ended = traces.find(({ start: other, ...rest }) => {
    if (!other || !sameId(groupOf(other), groupOf(start)) || !precedes(other, start)) return false;
    const end = surelyUntil({ start: other, ...rest });
    return end > start.at + atOnceMs && end <= answeredAt(start);
  });
  return waited({ start, readings: all }) >= atOnceMs && ended?.start
    ? broken([start, ended.start], 'an answer while it waits', `one after ${Math.round(start.durationMs)} ms`)
    : undefined;
}

/** What no slug of a variantKey leaves out, as far as it may be cut. */
const coreOf = (variantKey: string) =>
  variantKey
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 20);

/** Two variants of a workflow that share one storage. */
function ofAnotherVariant(traces: readonly Trace[]): Finding[] {
  const variants = traces.flatMap(({ start, readings: all }) => {
    const { variantKey } = start ? options(start) : {};
    const last = readings(all).findLast(({ execution }) => storageKey(execution) !== undefined);
    return start && last && typeof variantKey === 'string'
      ? { start, exchange: last.exchange, core: coreOf(variantKey), key: storageKey(last.execution) }
      : [];
  });
  return variants.flatMap(({ start, exchange, core, key }, place) => {
    const other = variants
      .slice(0, place)
      .find((one) => one.start.resource === start.resource && one.core !== core && one.key === key);
    return other
      ? broken([exchange, other.exchange], 'a sharedStorageKey for each variant', `${shown(key)} for two`)
      : [];
  });
}

const storageKey = ({ executionOptions }: Fields): unknown =>
  (isFields(executionOptions) ? executionOptions.sharedStorageKey : undefined) ?? undefined;

export const starts = {
  /**
   * Seen: a start. Kept where it is answered 202 with a UUID and a status; broken where a success is otherwise, two starts
   * have one execution, or an empty object is refused.
   */
  'execute-is-accepted': {
    exchange(exchange) {
      if (exchange.operation !== 'execute') return undefined;
      const required = '202 with executionId, a UUID, and status';
      if (accepted(exchange)) {
        const { executionId, status: initial } = answer(exchange) ?? {};
        return status(exchange) === 202 && isUuid(executionId) && typeof initial === 'string'
          ? kept(exchange)
          : broken(exchange, required);
      }
      // Refused though meant to be accepted. A service at its limit does that, with a status that is not shown.
      if (!isMeantToPass(exchange) || asksToQueue(exchange)) return undefined;
      if (!exchange.response) return unclear(exchange, noAnswer(exchange));
      return refused(exchange)
        ? unclear(exchange, `A start that should be accepted was answered ${answerText(exchange)}.`)
        : broken(exchange, required);
    },
    trace(trace, { stateful }) {
      return stateful
        ? startedTwice(trace, ({ operation }) => operation === 'execute', 'an execution for each start')
        : undefined;
    },
    run({ exchanges }, { stateful }) {
      return stateful ? [...refusedEmpty(exchanges), ...refusedTogether('execute', exchanges)] : undefined;
    },
  },

  /**
   * Seen: an accepted start. Kept where it is starting, or queued if that was asked for; broken where it is anything else,
   * or queued though there is room, each time.
   */
  'execute-initial-status': {
    exchange(exchange) {
      const initial = accepted(exchange) ? answer(exchange)?.status : undefined;
      if (exchange.operation !== 'execute' || typeof initial !== 'string') return undefined;
      if (initial === 'starting' || (initial === 'queued' && asksToQueue(exchange))) return kept(exchange);
      // queued-only-when-asked speaks of the start that is queued without asking.
      return initial === 'queued'
        ? undefined
        : broken(exchange, 'status starting, or queued', `status ${shown(initial)}`);
    },
    run({ exchanges, traces }, facts) {
      const falsely = queuedThoughFree(exchanges, facts);
      if (falsely) return falsely;
      const starts = exchanges.filter((one) => one.operation === 'execute' && isUnbound(one) && !one.mark?.probe);
      // Where one was refused for want of capacity, another may have had to wait for it.
      if (starts.some((one) => one.mark?.credential === 'primary' && !one.mark.asks && !one.mark.odd && refused(one)))
        return undefined;
      const taken = starts.filter((one) => one.mark && accepted(one));
      const others = taken.filter((one) => answeredStatus(one) === 'starting');
      const [other] = others;
      // What waits does not begin as soon as it is asked for, each time.
      const asking = traces.flatMap(({ start, readings: all }) =>
        start && taken.includes(start) && asksToQueue(start) ? { start, first: readings(all)[0] } : [],
      );
      const [one] = asking;
      const isFalse = asking.every(({ start, first }) => isQueued(start) && first && first.status !== 'queued');
      return one?.first && other && others.length > 2 && asking.length > 1 && isFalse
        ? broken(
            [one.start, one.first.exchange, other],
            'status starting of a run that begins at once',
            'status queued',
          )
        : undefined;
    },
  },

  /** Seen: a start that does not ask to be queued. Kept where neither its answer nor a reading is queued. */
  'queued-only-when-asked': {
    trace({ start, readings: all }) {
      if (!start || asksToQueue(start)) return undefined;
      const queued =
        answeredStatus(start) === 'queued'
          ? start
          : readings(all).find(({ status: now }) => now === 'queued')?.exchange;
      return queued
        ? broken([start, queued], 'no execution queued without onCapacityLimit queue', 'status queued')
        : kept(start);
    },
  },

  /**
   * Seen: a start of a version, or of the head. Kept where it is accepted; broken where it is refused for that alone.
   */
  'version-and-head-are-accepted': {
    exchange(exchange) {
      const taken = exchange.operation === 'execute' && accepted(exchange) && !exchange.mark?.probe;
      return taken && selection(exchange) ? kept(exchange) : undefined;
    },
    run({ exchanges }) {
      const meant = exchanges.filter((one) => one.operation === 'execute' && isMeantToPass(one));
      return meant
        .filter((start) => selection(start) && !accepted(start))
        .filter((start) => !meant.some((other) => accepted(other) && selection(other) === selection(start)))
        .map((start) => {
          const peer =
            asksOnlyAccepted(start, ['version', 'head'], meant) &&
            meant.find((other) => accepted(other) && other.resource === start.resource);
          return notTaken(start, peer, `a start of ${selection(start)} accepted, as others of the workflow are`);
        });
    },
  },

  /**
   * Seen: a sharedStorageKey of a run with a variantKey. Kept where it is safe as a path; broken as well where a variantKey
   * that would be more than one folder is in it as it was sent, and where it is that of a variant with quite another key.
   */
  'storage-key-is-a-slug': {
    trace({ start, readings: all }) {
      if (!start || options(start).variantKey === undefined) return undefined;
      return readings(all).flatMap(({ exchange, execution }) => {
        const key = storageKey(execution);
        if (key === undefined) return [];
        return typeof key === 'string' && isPath(key.replace(/^\/|\/$/g, '')) && !isAsSent(key, options(start))
          ? kept([start, exchange])
          : broken([start, exchange], 'a sharedStorageKey with a slug of the variantKey, safe as a path', shown(key));
      });
    },
    run: ({ traces }) => ofAnotherVariant(traces),
  },

  /**
   * Seen: a start with a variantKey that is no slug. Kept where it is accepted; broken where it is refused for that alone.
   */
  'variant-key-is-normalised': {
    exchange(exchange) {
      const taken = isStart(exchange) && accepted(exchange) && !exchange.mark?.probe;
      return taken && needsSlug(options(exchange)) ? kept(exchange) : undefined;
    },
    run({ exchanges }) {
      // A key that is taken in one start is not what another one is refused for.
      const keys = new Set(
        exchanges.filter((one) => isStart(one) && accepted(one)).map((one) => options(one).variantKey),
      );
      return exchanges
        .filter((start) => isStart(start) && isMeantToPass(start) && needsSlug(options(start)) && !accepted(start))
        .filter((start) => !keys.has(options(start).variantKey))
        .map((start) => {
          const plain = exchanges.find(
            ({ operation, resource, mark }) =>
              mark?.probe?.rule === 'variant-key-is-required' &&
              operation === start.operation &&
              resource === start.resource,
          );
          const { why } = outcomeOf(start);
          if (why) return unclear(start, why);
          const { softTimeoutMins: minutes } = options(start);
          // What lies between two that were taken is taken.
          const taken = exchanges.filter(accepted).map((one) => Number(options(one).softTimeoutMins));
          const isTaken = [-1, 1].every((way) => taken.some((one) => one * way >= Number(minutes) * way));
          if (minutes !== undefined && !isTaken)
            return unclear(start, `No start with softTimeoutMins ${shown(minutes)} was accepted.`);
          if (plain && accepted(plain))
            return unclear(
              [start, plain],
              'The workflow takes starts without a variantKey: it is not in variant mode.',
            );
          return refused(start) && asksOnlyAccepted(start, ['executionOptions'], exchanges)
            ? broken(start, `a start with the variantKey ${shown(options(start).variantKey)} accepted`)
            : unclear(start, `A start with a variantKey was answered ${answerText(start)}; the reason is unclear.`);
        });
    },
  },

  /**
   * Seen: an asynchronous start of the slow workflow, and the first reading. Kept where the answer came long before the
   * end; broken where it took as long as the run, and no other answer took as long whose run did not, or where what is
   * queued is answered when it begins, each time.
   */
  'execute-returns-at-once': {
    run({ traces }, { workflows }) {
      const waiting = traces.filter(({ start }) => start?.operation === 'execute' && start.mark && isQueued(start));
      const late = waiting.flatMap((trace) => heldBack(trace, traces) ?? []);
      // What held back one of them may have been over too soon to tell.
      const isEach = late.length > 1 && waiting.every((trace) => waited(trace) >= atOnceMs / 2);
      return [...(isEach ? late : []), ...traces.flatMap((trace) => ofSlow(trace, traces, workflows.slow) ?? [])];
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;
