/** Faults of starts, synchronous ones, files and capacity that show in one circumstance alone: for the second of a kind, beside something else, at a size. */

import type { Fault, Hooks } from '../../hooks.js';
import {
  copyOf,
  type Execution,
  type Fields,
  fieldsOf,
  isTerminal,
  listOf,
  type Status,
  type Value,
} from '../../state.js';
import {
  answersAs,
  emptied,
  executionOf,
  faultsOf,
  hook,
  implied,
  isStart,
  isSync,
  lenient,
  lists,
  must,
  should,
} from '../make.js';

export const seldomFiles: readonly Fault[] = [
  ...faultsOf({
    // Returns all files of the execution.
    'files-lost-when-sync': lists((d, e) => e.sync && emptied(d)),
    'files-of-the-first-run': () => {
      let first: Value | undefined;
      return lists((d, e) => {
        if (e.files.length === 0) return;
        first ??= { id: e.id, files: copyOf(d) };
        if (fieldsOf(first).id !== e.id) Object.assign(d, copyOf(fieldsOf(fieldsOf(first).files)));
      });
    },
    'files-of-the-first-run-under-its-name': () => {
      let first: Fields | undefined;
      return lists((d, e) => {
        if (e.files.length === 0) return;
        first ??= copyOf(d);
        for (const name of Object.keys(d))
          d[name] = listOf(first[name]).map((file) => ({ ...file, executionId: e.id }));
      });
    },
    'files-as-first-listed': () => {
      const seen = new Map<string, Fields>();
      return lists((d, e) => {
        const first = seen.get(e.id);
        if (first) Object.assign(d, copyOf(first));
        else seen.set(e.id, copyOf(d));
      });
    },
    // workflowId of a file is that of its execution.
    'files-of-a-workflow-run-before-when-sync': lists((d, e) => {
      if (e.sync)
        for (const file of Object.values(d).flatMap(listOf)) file.workflowId = '11000000-0000-4000-8000-000000000001';
    }),
    // Execution file: all required.
    'file-second-without-size': lists((d) => delete Object.values(d).flatMap(listOf)[1]?.fileSize),
  }),
  // 404 when the execution does not exist.
  ...(['queued', 'starting', 'paused', 'awaiting_confirmation', 'failed', 'cancelled'] as const).map((status: Status) =>
    must(
      `files-404-when-${status}`,
      answersAs(
        404,
        (c, was) => c.operation === 'listExecutionFiles' && was === 200 && executionOf(c)?.status === status,
        'The execution was not found.',
      ),
    ),
  ),
  ...faultsOf({
    'files-404-when-sync': answersAs(
      404,
      (c, was) => c.operation === 'listExecutionFiles' && was === 200 && executionOf(c)?.sync === true,
      'The execution was not found.',
    ),
    // 404 with an explanation that the execution was not found.
    'files-of-unknown-404-says-what-it-likes': {
      answers: (a, c) =>
        c.operation === 'listExecutionFiles' && a.status === 404 && (a.body = { code: 404, message: 'Oops.' }),
    },
  }),
];

export const seldomStarts: readonly Fault[] = [
  ...faultsOf({
    // Must have been pre-uploaded.
    'temp-file-second-unknown-runs': lenient('unknown-named', 'tempFiles', (c) => listOf(c.body.tempFiles).length > 1),
    // tempFiles: array.
    'temp-files-second-refused': answersAs(
      400,
      (c, was) => isStart(c) && was < 300 && listOf(c.body.tempFiles).length > 1,
    ),
    // A group that does not exist is refused.
    'unknown-group-waits-for-ever': implied(
      lenient('unknown-named', 'profileGroupId', (c) => c.body.onCapacityLimit === 'queue'),
    ),
    // profileId and profileGroupId are mutually exclusive.
    'exclusive-not-with-queue': lenient('exclusive', 'profileId', (c) => c.body.onCapacityLimit === 'queue'),
    // A version that does not exist is refused.
    'unknown-version-4-runs': implied(lenient('unknown-named', 'version', (c) => c.body.version === 4)),
    // Version to run.
    'version-0-runs-published': lenient('unknown-named', 'version', (c) => c.body.version === 0),
    // variantKey: string.
    'variant-key-of-numbers-runs': implied(
      hook('reads', (body) => {
        const { variantKey } = fieldsOf(body.executionOptions);
        return typeof variantKey === 'number'
          ? { ...body, executionOptions: { ...fieldsOf(body.executionOptions), variantKey: String(variantKey) } }
          : body;
      }),
    ),
  }),
  // The field has the type of the table.
  ...['dynamicData', 'agentProfileId', 'agentProfilePoolId'].map((name) =>
    should(`wrong-type-of-${name}`, lenient('wrong-type', name)),
  ),
  ...faultsOf({
    // metadata: object.
    'metadata-many-refused': answersAs(
      400,
      (c, was) => isStart(c) && was < 300 && Object.keys(fieldsOf(c.body.metadata)).length > 8,
    ),
    // The call is not idempotent.
    'sync-finds-the-run-of-the-same-inputs': () => {
      const seen = new Map<string, Value>();
      return hook('answers', (a, c) => {
        if (!isStart(c) || a.status >= 300 || c.body.inputs === undefined) return;
        const key = `${c.id} ${JSON.stringify(c.body.inputs)}`;
        const id = fieldsOf(a.body).executionId;
        if (isSync(c) && seen.has(key)) fieldsOf(a.body).executionId = seen.get(key);
        else if (id !== undefined) seen.set(key, id);
      });
    },
    // One run of one workflow version is an execution.
    'one-run-of-a-workflow-at-a-time': hook('answers', (a, c) => {
      if (c.operation !== 'execute' || a.status >= 300) return;
      const going = [...c.state.executions.values()].find(
        (one) => one.workflow.id === c.id.toLowerCase() && one.status === 'running',
      );
      if (going) fieldsOf(a.body).executionId = going.id;
    }),
  }),
];

const holdsFor = (which: (e: Execution) => boolean): Partial<Hooks> => ({
  holds: (free, c) =>
    free &&
    ![...c.state.executions.values()].some(
      (one) =>
        isTerminal(one.status) && which(one) && one.groupId !== undefined && one.groupId === c.body.profileGroupId,
    ),
});
export const seldomCapacity: readonly Fault[] = [
  ...faultsOf({
    // Starts automatically, oldest first, as capacity frees.
    'failed-runs-hold-for-ever': holdsFor((e) => e.status === 'failed'),
    'cancelled-runs-hold-for-ever': holdsFor((e) => e.status === 'cancelled'),
    'sync-runs-hold-for-ever': holdsFor((e) => e.sync),
    'queued-runs-hold-for-ever': holdsFor((e) => e.waited),
    // Every profile in the pool in use.
    'capacity-of-each-workflow': {
      holds: (free, c) =>
        free ||
        ![...c.state.executions.values()].some(
          (one) =>
            !isTerminal(one.status) && one.groupId === c.body.profileGroupId && one.workflow.id === c.id.toLowerCase(),
        ),
    },
    'sync-starts-hold-nothing': { starts: (e) => e.sync && e.groupId !== undefined && delete e.profileId },
    // reject (default): the request fails.
    'over-capacity-fails-afterwards': {
      refuses: (p) => p !== 'capacity',
      starts: (e, c) => {
        if (e.status === 'queued' && c.body.onCapacityLimit !== 'queue')
          Object.assign(e, { status: 'starting', waited: false, order: -1 });
      },
      steps: (to, e) => (e.order === -1 ? 'failed' : to),
    },
    // Starts automatically, oldest first, as capacity frees.
    'queue-loses-those-with-metadata': { next: (waiting) => waiting.find((one) => one.metadata === undefined) },
    'queue-twice-the-same': hook('answers', (a, c) => {
      const [first] = c.state.queue;
      if (isStart(c) && fieldsOf(a.body).status === 'queued' && first && c.state.queue.length === 2)
        fieldsOf(a.body).executionId = first.id;
    }),
    // Execution exists under the returned id.
    'queued-id-of-no-run': hook('answers', (a, c) => {
      if (isSync(c) && fieldsOf(a.body).status === 'queued')
        fieldsOf(a.body).executionId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9';
    }),
    // Temp files cannot be queued.
    'queue-with-temp-files-sync-only': lenient('temp-queue', undefined, isSync),
  }),
];

export const seldomSyncs: readonly Fault[] = [
  ...faultsOf({
    // executionResult.
    'sync-result-of-the-run-before': () => {
      let last: Value | undefined;
      return hook('answers', (a, c) => {
        const body = fieldsOf(a.body);
        if (!isSync(c) || !body.executionResult) return;
        const own = body.executionResult;
        if (last) body.executionResult = { ...fieldsOf(last), executionId: body.executionId };
        last = own;
      });
    },
    // The call waits up to timeoutSeconds.
    'sync-waits-five-at-least': { waits: (ms) => Math.max(ms, 5000) },
    // Seconds to wait for the execution to finish.
    'sync-second-does-not-wait': () => {
      const going = new Set<string>();
      return {
        waits: (ms, c) => {
          const again = going.has(c.id);
          going.add(c.id);
          return again ? 0 : ms;
        },
        answers: (_, c) => isSync(c) && going.delete(c.id),
      };
    },
    // default 25.
    'sync-default-in-minutes': { waits: (ms, c) => (c.body.timeoutSeconds === undefined ? ms / 60 : ms) },
    // Seconds to wait for the execution to finish.
    'sync-does-not-wait-for-groups': { waits: (ms, c) => (c.body.profileGroupId === undefined ? ms : 0) },
    // 202: the current status.
    'sync-200-when-queued': {
      answers: (a, c) => isSync(c) && fieldsOf(a.body).status === 'queued' && Object.assign(a, { status: 200 }),
    },
    // Seconds to wait before returning 202.
    'sync-timeout-25-is-over-at-20': { waits: (ms) => Math.min(ms, 20_000) },
    // executionResult: present when a result was recorded.
    'sync-result-under-another-name': hook('answers', (a, c) => {
      const body = fieldsOf(a.body);
      if (!isSync(c) || !body.executionResult) return;
      body.result = body.executionResult;
      delete body.executionResult;
    }),
  }),
];
