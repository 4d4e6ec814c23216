/** interface: Execution; Trigger context. */

import { isUuid } from '../../../../common/values.js';
import { isTerminal } from '../../../../generated/lifecycle.js';
import { hasRightKey, isOfRun, isProbe } from '../../../engine/outcome/mark.js';
import { isFields, isKeyHeader, objectIn, status } from '../../../engine/outcome/read.js';
import {
  eachReading,
  eachReadingOf,
  eventually,
  mustFind,
  type Reading,
  readings,
} from '../../../engine/outcome/readings.js';
import { answeredAt, replicaLagMs } from '../../../engine/outcome/when.js';
import { combined, satisfied, violated } from '../../../engine/rule/findings.js';
import { has, isOther, jsonText, listOf, sameId, withFirst } from '../../../engine/rule/values.js';
import type { Exchange, Judge, Judges } from '../../../engine/vocabulary.js';
import { isQueued } from '../view.js';

const replacedUrls = [
  ['browserLiveViewUrl', 'liveViewUrl'],
  ['browserRecordingUrl', 'recordingUrl'],
] as const;

/** A URL without its query, in which each may have its own signature. */
const place = (url: unknown) => (typeof url === 'string' ? url.replace(/[?#].*/s, '') : url);

/** Recorded requests of a browser may have been authenticated otherwise. */
const hasKey = (exchange: Exchange) => hasRightKey(exchange) || Object.keys(exchange.request.headers).some(isKeyHeader);

/** The id by which a reading names the key, and the user, that started an execution. */
const named = { apiKey: 'id', runner: 'userId' } as const;

const namedIn = (part: keyof typeof named, { exchange, execution }: Reading) => {
  const id = objectIn(objectIn(execution, 'triggerContext'), part)[named[part]];
  return isUuid(id) ? [{ exchange, id }] : [];
};

/** Judges a reading of an execution whose start was accepted. Fails if it is 404, so long after the start. */
const readableAfter = (ms: number, applies: (start: Exchange) => boolean = () => true): Judge => ({
  trace({ start, otherStarts: [rerun] = [], readings: all }) {
    const begun = start ?? rerun;
    if (!begun || !applies(begun)) return undefined;
    return mustFind(begun, all).flatMap((reading) => {
      if (status(reading) === 200) return satisfied([reading, begun]);
      return status(reading) === 404 && reading.at - answeredAt(begun) >= ms
        ? violated([reading, begun], 'an execution that was accepted found', '404')
        : [];
    });
  },
});

export const executions = {
  /** Judges a reading. Passes if id, workflowId, and the ids in result and comments are those of the execution. */
  'execution-is-the-one-asked-for': eachReadingOf(({ exchange, execution }, { executionId, start }) => {
    const { id, workflowId, executionResult, comments, parentExecutionId } = execution;
    if (!sameId(id, executionId)) return violated(exchange, `id ${executionId}`, `id ${jsonText(id)}`);
    // If a workflow that does not exist is run, workflow-must-exist judges that.
    if (start?.resource && !isProbe(start) && isOther(workflowId, start.resource))
      return violated([exchange, start], `workflowId ${start.resource}`, `workflowId ${jsonText(workflowId)}`);
    const parts = [...(isFields(executionResult) ? [executionResult] : []), ...listOf(comments)];
    // A rerun may show comments on the execution that it repeats.
    const foreign = parts.find(
      (part) =>
        isOther(part.executionId, executionId) &&
        (part === executionResult || !sameId(part.executionId, parentExecutionId)),
    );
    return foreign
      ? violated(exchange, `result and comments with executionId ${executionId}`, jsonText(foreign.executionId))
      : satisfied(exchange);
  }),

  'execution-is-readable-at-once': readableAfter(replicaLagMs, isQueued),
  'accepted-execution-is-readable': readableAfter(0),

  /** Judges a URL under its deprecated name. Passes if the new name shows the same, queries aside. */
  'deprecated-urls-agree': combined(
    ...replacedUrls.map(([old, now]) =>
      eventually(({ exchange, execution }) => {
        if (!has(execution, old)) return undefined;
        return place(execution[old]) === place(execution[now])
          ? satisfied(exchange)
          : violated(exchange, `${old} the same as ${now}, ${jsonText(execution[now])}`, jsonText(execution[old]));
      }),
    ),
  ),

  /** Judges a reading. Passes if scriptFailures is absent, fails if it is an empty list. */
  'script-failures-omitted-when-none': eachReading(({ exchange, execution }) => {
    if (!has(execution, 'scriptFailures')) return satisfied(exchange);
    return Array.isArray(execution.scriptFailures) && execution.scriptFailures.length === 0
      ? violated(exchange, 'scriptFailures omitted where there are none', '[]')
      : undefined;
  }),

  /**
   * Judges the triggerContext of an execution that was started with a key. Passes if its source is api. Also fails
   * if readings name different apiKeys or runners, though one key started all the executions.
   */
  'trigger-is-api': {
    ...eachReadingOf(({ exchange, execution }, { start }) => {
      if (!start || !hasKey(start) || !has(execution, 'triggerContext')) return undefined;
      return objectIn(execution, 'triggerContext').source === 'api'
        ? satisfied([exchange, start])
        : violated([exchange, start], 'triggerContext with source api', jsonText(execution.triggerContext));
    }),
    run({ traces }) {
      const all = traces.flatMap((trace) => (trace.start && hasRightKey(trace.start) ? readings(trace.readings) : []));
      return (['apiKey', 'runner'] as const).flatMap((part) =>
        withFirst(all.flatMap((reading) => namedIn(part, reading))).flatMap(([{ exchange, id }, first]) =>
          sameId(id, first.id)
            ? []
            : violated(
                [exchange, first.exchange],
                `the ${part} ${first.id}, as of all that the key started`,
                jsonText(id),
              ),
        ),
      );
    },
  },

  /** Judges a triggerContext with source api. Passes if it has an apiKey. */
  'trigger-names-its-key': eventually(({ exchange, execution: { triggerContext } }) => {
    if (!isFields(triggerContext) || triggerContext.source !== 'api') return undefined;
    return isFields(triggerContext.apiKey)
      ? satisfied(exchange)
      : violated(exchange, 'the apiKey of a trigger with source api', jsonText(triggerContext));
  }),

  /**
   * Judges a reading of an execution whose start was seen. Fails if it has a parent, or if hasBeenRerun is true
   * before it has ended. After completion, only fails if more than one is said to be rerun, and
   * none was seen completed before that.
   */
  'fresh-execution-not-rerun': {
    ...eachReadingOf(({ exchange, execution, status }, { start }) => {
      if (!start) return undefined;
      if (has(execution, 'parentExecutionId'))
        return violated([exchange, start], 'no parentExecutionId', jsonText(execution.parentExecutionId));
      // Others may have rerun an execution that has ended, or one that the suite did not start.
      return isOfRun(start) && !isTerminal(status) && execution.hasBeenRerun === true
        ? violated([exchange, start], 'hasBeenRerun false', 'hasBeenRerun true')
        : satisfied([exchange, start]);
    }),
    // A service may itself rerun what failed or was cancelled, and somebody else what has completed, once or each time.
    run({ traces }) {
      const rerun = traces.flatMap(({ start, readings: all }) => {
        const completed = readings(all).filter(({ status }) => status === 'completed');
        const [first, last] = [completed[0], completed.at(-1)];
        return start && isOfRun(start) && last?.execution.hasBeenRerun === true
          ? { exchanges: [last.exchange, start], wasRerun: first?.execution.hasBeenRerun === false }
          : [];
      });
      return rerun.length > 1 && !rerun.some(({ wasRerun }) => wasRerun)
        ? rerun.map(({ exchanges }) => violated(exchanges, 'hasBeenRerun false', 'hasBeenRerun true'))
        : undefined;
    },
  },
} satisfies Judges;
