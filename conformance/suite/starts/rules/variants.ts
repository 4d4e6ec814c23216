/** interface: POST execute, version and head; Execution options, variantKey and sharedStorageKey. */

import { isProbe, isProbeOf } from '../../../engine/outcome/mark.js';
import { notAccepted, outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  type Fields,
  isMeantToPass,
  isStart,
  objectIn,
  refused,
  requestBody,
  requestFields,
  status,
} from '../../../engine/outcome/read.js';
import { eachReadingOf, readings } from '../../../engine/outcome/readings.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { answerText, jsonText, withEarlier } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { startsAtOnce } from '../../operations.js';
import { asksOnlyAccepted } from '../asked.js';

const options = (start: Exchange): Fields => objectIn(requestBody(start), 'executionOptions');

/** A key that the server must turn into a slug. */
const needsSlug = ({ variantKey }: Fields) =>
  typeof variantKey === 'string' && !/^[a-z0-9][a-z0-9._-]*$/.test(variantKey);

/** Whether each folder of a path has a proper name. What else a storage key consists of is left open. */
const isPath = (key: string) =>
  key.split('/').every((name) => !['', '.', '..'].includes(name)) &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  !/[\\\u0000-\u001f\u007f]/.test(key);

/** Whether a storage key contains a variantKey with a slash unchanged, so that it is several folders. */
const isAsSent = (key: string, { variantKey }: Fields) =>
  typeof variantKey === 'string' && variantKey.includes('/') && key.includes(variantKey);

export const variants = {
  /**
   * Judges a sharedStorageKey of a run with a variantKey. Passes if it is a safe path. Also fails if it contains a
   * variantKey with a slash unchanged, or is shared with a variant that has quite another key.
   */
  'storage-key-is-a-slug': {
    ...eachReadingOf(({ exchange, execution }, { start }) => {
      const key = storageKey(execution);
      if (!start || options(start).variantKey === undefined || key === undefined) return undefined;
      return typeof key === 'string' && isPath(key.replace(/^\/|\/$/g, '')) && !isAsSent(key, options(start))
        ? satisfied([start, exchange])
        : violated(
            [start, exchange],
            'a sharedStorageKey with a slug of the variantKey, safe as a path',
            jsonText(key),
          );
    }),
    run: ({ traces }) => ofAnotherVariant(traces),
  },

  /** Judges a start with a variantKey that is no slug. Passes if accepted, fails if refused for that alone. */
  'variant-key-is-normalised': {
    exchange(exchange) {
      const taken = isStart(exchange) && accepted(exchange) && !isProbe(exchange);
      return taken && needsSlug(options(exchange)) ? satisfied(exchange) : undefined;
    },
    run({ exchanges }) {
      // A key that is accepted in one start is not why another one is refused.
      const keys = new Set(
        exchanges.filter((one) => isStart(one) && accepted(one)).map((one) => options(one).variantKey),
      );
      return exchanges
        .filter((start) => isStart(start) && isMeantToPass(start) && needsSlug(options(start)) && !accepted(start))
        .filter((start) => !keys.has(options(start).variantKey))
        .map((start) => {
          const plain = exchanges.find(
            (one) =>
              isProbeOf(one, 'variant-key-is-required') &&
              one.operation === start.operation &&
              one.resource === start.resource,
          );
          const { why } = outcomeOf(start);
          if (why) return inconclusive(start, why);
          const { softTimeoutMins: minutes } = options(start);
          // A value between two accepted ones is valid too.
          const taken = exchanges.filter(accepted).map((one) => options(one).softTimeoutMins);
          const isTaken = [-1, 1].every((way) =>
            taken.some((one) => typeof one === 'number' && typeof minutes === 'number' && one * way >= minutes * way),
          );
          if (minutes !== undefined && !isTaken)
            return inconclusive(start, `No start with softTimeoutMins ${jsonText(minutes)} was accepted.`);
          if (plain && accepted(plain))
            return inconclusive(
              [start, plain],
              'The workflow starts without a variantKey: it is not in variant mode.',
              'correct workflows.variantMode',
            );
          // A 404 says that something is not there: the reason is no key.
          return refused(start) && status(start) !== 404 && asksOnlyAccepted(start, ['executionOptions'], exchanges)
            ? violated(start, `a start with the variantKey ${jsonText(options(start).variantKey)} accepted`)
            : inconclusive(
                start,
                `A start with a variantKey was answered ${answerText(start)}; the reason is unclear.`,
              );
        });
    },
  },

  /** Judges a start of a version or the head. Passes if it is accepted, fails if refused for that alone. */
  'version-and-head-are-accepted': {
    exchange(exchange) {
      const taken = startsAtOnce(exchange) && accepted(exchange) && !isProbe(exchange);
      return taken && selection(exchange) ? satisfied(exchange) : undefined;
    },
    run({ exchanges }) {
      const meant = exchanges.filter((one) => startsAtOnce(one) && isMeantToPass(one));
      return meant
        .filter((start) => selection(start) && !accepted(start))
        .filter((start) => !meant.some((other) => accepted(other) && selection(other) === selection(start)))
        .map((start) => {
          const peer =
            asksOnlyAccepted(start, ['version', 'head'], meant) &&
            meant.find((other) => accepted(other) && other.resource === start.resource);
          return notAccepted(start, peer, `a start of ${selection(start)} accepted, as others of the workflow are`);
        });
    },
  },
} satisfies Judges;

/** The part of a variantKey that every slug of it keeps, if it is not cut shorter. */
const coreOf = (variantKey: string) =>
  variantKey
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 20);

/** Finds two variants of a workflow that share one storage. */
function ofAnotherVariant(traces: readonly Trace[]): Finding[] {
  const variants = traces.flatMap(({ start, readings: all }) => {
    const { variantKey } = start ? options(start) : {};
    const last = readings(all).findLast(({ execution }) => storageKey(execution) !== undefined);
    return start && last && typeof variantKey === 'string'
      ? { start, exchange: last.exchange, core: coreOf(variantKey), key: storageKey(last.execution) }
      : [];
  });
  const share = withEarlier(
    variants,
    (a, b) => a.start.resource === b.start.resource && a.core !== b.core && a.key === b.key,
  );
  return share.map(([{ exchange, key }, other]) =>
    violated([exchange, other.exchange], 'a sharedStorageKey for each variant', `${jsonText(key)} for two`),
  );
}

const storageKey = (execution: Fields): unknown =>
  objectIn(execution, 'executionOptions').sharedStorageKey ?? undefined;

/** The version that a start asks for, in words. */
function selection(start: Exchange): string | undefined {
  const { head, version } = requestFields(start);
  if (head === true) return version === undefined ? 'the head' : undefined;
  return Number.isInteger(version) ? `version ${version}` : undefined;
}
