import type { RuleId } from '../../../../generated/rules.js';
import { isMeantToPass } from '../../../engine/outcome/expected.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import { accepted, answer, isFields, refused, sent, status } from '../../../engine/outcome/read.js';
import { answeredStatus, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../../engine/outcome/when.js';
import { broken, kept, notTaken, unclear } from '../../../engine/rule/findings.js';
import { startedTwice } from '../../../engine/rule/started-twice.js';
import { isUuid, sameId } from '../../../engine/rule/values.js';
import { answerText, noAnswer, shown } from '../../../engine/rule/words.js';
import type { Exchange, Facts, Finding, Judge } from '../../../engine/vocabulary.js';
import { asksToQueue } from '../../executions/view.js';
import { asksOnlyAccepted } from '../asked.js';
import { refusedTogether } from '../refused-together.js';

/** Which version a start asks for, in words. */
function selection(start: Exchange): string | undefined {
  const { head, version } = sent(start) ?? {};
  if (head === true) return version === undefined ? 'the head' : undefined;
  return Number.isInteger(version) ? `version ${version}` : undefined;
}

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
} satisfies Partial<Record<RuleId, Judge>>;
