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
import { must, should } from '../make.js';
import { answersAs, emptied, executionOf, isStart, isSync, kept, lists } from './make.js';

const all = 'Returns all files of the execution.';
export const seldomFiles: readonly Fault[] = [
  must(
    'files-lost-when-sync',
    all,
    lists((d, e) => void (e.sync && emptied(d))),
  ),
  must('files-of-the-first-run', all, () => {
    let first: Value | undefined;
    return lists((d, e) => {
      if (e.files.length === 0) return;
      first ??= { id: e.id, files: copyOf(d) };
      if (fieldsOf(first).id !== e.id) Object.assign(d, copyOf(fieldsOf(fieldsOf(first).files)));
    });
  }),
  must('files-of-the-first-run-under-its-name', all, () => {
    let first: Fields | undefined;
    return lists((d, e) => {
      if (e.files.length === 0) return;
      first ??= copyOf(d);
      for (const name of Object.keys(d)) d[name] = listOf(first[name]).map((file) => ({ ...file, executionId: e.id }));
    });
  }),
  must('files-as-first-listed', all, () => {
    const seen = new Map<string, Fields>();
    return lists((d, e) => {
      const first = seen.get(e.id);
      if (first) Object.assign(d, copyOf(first));
      else seen.set(e.id, copyOf(d));
    });
  }),
  must(
    'files-of-a-workflow-run-before-when-sync',
    'workflowId of a file is that of its execution.',
    lists((d, e) => {
      if (e.sync)
        for (const file of Object.values(d).flatMap(listOf)) file.workflowId = '11000000-0000-4000-8000-000000000001';
    }),
  ),
  must(
    'file-second-without-size',
    'Execution file: all required.',
    lists((d) => void delete Object.values(d).flatMap(listOf)[1]?.fileSize),
  ),
  ...(['queued', 'starting', 'paused', 'awaiting_confirmation', 'failed', 'cancelled'] as const).map((status: Status) =>
    must(
      `files-404-when-${status}`,
      '404 when the execution does not exist.',
      answersAs(
        404,
        (c, was) => c.operation === 'listExecutionFiles' && was === 200 && executionOf(c)?.status === status,
        'The execution was not found.',
      ),
    ),
  ),
  must(
    'files-404-when-sync',
    '404 when the execution does not exist.',
    answersAs(
      404,
      (c, was) => c.operation === 'listExecutionFiles' && was === 200 && executionOf(c)?.sync === true,
      'The execution was not found.',
    ),
  ),
  must('files-of-unknown-404-says-what-it-likes', '404 with an explanation that the execution was not found.', {
    answers: (a, c) =>
      void (c.operation === 'listExecutionFiles' && a.status === 404 && (a.body = { code: 404, message: 'Oops.' })),
  }),
];

export const seldomStarts: readonly Fault[] = [
  must('temp-file-second-unknown-runs', 'Must have been pre-uploaded.', {
    refuses: (p, c, f) => !(p === 'unknown-named' && f === 'tempFiles' && listOf(c.body.tempFiles).length > 1),
  }),
  must('temp-files-second-refused', 'tempFiles: array.', {
    answers: answersAs(400, (c, was) => isStart(c) && was < 300 && listOf(c.body.tempFiles).length > 1).answers,
  }),
  should('unknown-group-waits-for-ever', 'A group that does not exist is refused.', {
    ...kept((c) => c.body.onCapacityLimit === 'queue', 'unknown-named', 'profileGroupId'),
  }),
  must('exclusive-not-with-queue', 'profileId and profileGroupId are mutually exclusive.', {
    ...kept((c) => c.body.onCapacityLimit === 'queue', 'exclusive', 'profileId'),
  }),
  should('unknown-version-4-runs', 'A version that does not exist is refused.', {
    ...kept((c) => c.body.version === 4, 'unknown-named', 'version'),
  }),
  must('version-0-runs-published', 'Version to run.', {
    ...kept((c) => c.body.version === 0, 'unknown-named', 'version'),
  }),
  should('variant-key-of-numbers-runs', 'variantKey: string.', {
    reads: (body) => {
      const { variantKey } = fieldsOf(body.executionOptions);
      return typeof variantKey === 'number'
        ? { ...body, executionOptions: { ...fieldsOf(body.executionOptions), variantKey: String(variantKey) } }
        : body;
    },
  }),
  ...['dynamicData', 'agentProfileId', 'agentProfilePoolId'].map((name) =>
    should(
      `wrong-type-of-${name}`,
      'The field has the type of the table.',
      kept(() => true, 'wrong-type', name),
    ),
  ),
  must(
    'metadata-many-refused',
    'metadata: object.',
    answersAs(400, (c, was) => isStart(c) && was < 300 && Object.keys(fieldsOf(c.body.metadata)).length > 8),
  ),
  must('sync-finds-the-run-of-the-same-inputs', 'The call is not idempotent.', () => {
    const seen = new Map<string, Value>();
    return {
      answers: (a, c) => {
        if (!isStart(c) || a.status >= 300 || c.body.inputs === undefined) return;
        const key = `${c.id} ${JSON.stringify(c.body.inputs)}`;
        const id = fieldsOf(a.body).executionId;
        if (isSync(c) && seen.has(key)) fieldsOf(a.body).executionId = seen.get(key);
        else if (id !== undefined) seen.set(key, id);
      },
    };
  }),
  must('one-run-of-a-workflow-at-a-time', 'One run of one workflow version is an execution.', {
    answers: (a, c) => {
      if (c.operation !== 'execute' || a.status >= 300) return;
      const going = [...c.state.executions.values()].find(
        (one) => one.workflow.id === c.id.toLowerCase() && one.status === 'running',
      );
      if (going) fieldsOf(a.body).executionId = going.id;
    },
  }),
];

const frees = 'Starts automatically, oldest first, as capacity frees.';
const holdsFor = (which: (e: Execution) => boolean): Partial<Hooks> => ({
  holds: (free, c) =>
    free &&
    ![...c.state.executions.values()].some(
      (one) =>
        isTerminal(one.status) && which(one) && one.groupId !== undefined && one.groupId === c.body.profileGroupId,
    ),
});
export const seldomCapacity: readonly Fault[] = [
  must(
    'failed-runs-hold-for-ever',
    frees,
    holdsFor((e) => e.status === 'failed'),
  ),
  must(
    'cancelled-runs-hold-for-ever',
    frees,
    holdsFor((e) => e.status === 'cancelled'),
  ),
  must(
    'sync-runs-hold-for-ever',
    frees,
    holdsFor((e) => e.sync),
  ),
  must(
    'queued-runs-hold-for-ever',
    frees,
    holdsFor((e) => e.waited),
  ),
  must('capacity-of-each-workflow', 'Every profile in the pool in use.', {
    holds: (free, c) =>
      free ||
      ![...c.state.executions.values()].some(
        (one) =>
          !isTerminal(one.status) && one.groupId === c.body.profileGroupId && one.workflow.id === c.id.toLowerCase(),
      ),
  }),
  must('sync-starts-hold-nothing', 'Every profile in the pool in use.', {
    starts: (e) => void (e.sync && e.groupId !== undefined && delete e.profileId),
  }),
  must('over-capacity-fails-afterwards', 'reject (default): the request fails.', {
    refuses: (p) => p !== 'capacity',
    starts: (e, c) => {
      if (e.status === 'queued' && c.body.onCapacityLimit !== 'queue')
        Object.assign(e, { status: 'starting', waited: false, order: -1 });
    },
    steps: (to, e) => (e.order === -1 ? 'failed' : to),
  }),
  must('queue-loses-those-with-metadata', frees, {
    next: (waiting) => waiting.find((one) => one.metadata === undefined),
  }),
  must('queue-twice-the-same', frees, {
    answers: (a, c) => {
      const [first] = c.state.queue;
      if (isStart(c) && fieldsOf(a.body).status === 'queued' && first && c.state.queue.length === 2)
        fieldsOf(a.body).executionId = first.id;
    },
  }),
  must('queued-id-of-no-run', 'Execution exists under the returned id.', {
    answers: (a, c) => {
      if (isSync(c) && fieldsOf(a.body).status === 'queued')
        fieldsOf(a.body).executionId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9';
    },
  }),
  must('queue-with-temp-files-sync-only', 'Temp files cannot be queued.', kept(isSync, 'temp-queue')),
];

export const seldomSyncs: readonly Fault[] = [
  must('sync-result-of-the-run-before', 'executionResult.', () => {
    let last: Value | undefined;
    return {
      answers: (a, c) => {
        const body = fieldsOf(a.body);
        if (!isSync(c) || !body.executionResult) return;
        const own = body.executionResult;
        if (last) body.executionResult = { ...fieldsOf(last), executionId: body.executionId };
        last = own;
      },
    };
  }),
  must('sync-waits-five-at-least', 'The call waits up to timeoutSeconds.', { waits: (ms) => Math.max(ms, 5000) }),
  must('sync-second-does-not-wait', 'Seconds to wait for the execution to finish.', () => {
    const going = new Set<string>();
    return {
      waits: (ms, c) => {
        const again = going.has(c.id);
        going.add(c.id);
        return again ? 0 : ms;
      },
      answers: (_, c) => void (isSync(c) && going.delete(c.id)),
    };
  }),
  must('sync-default-in-minutes', 'default 25.', {
    waits: (ms, c) => (c.body.timeoutSeconds === undefined ? ms / 60 : ms),
  }),
  must('sync-does-not-wait-for-groups', 'Seconds to wait for the execution to finish.', {
    waits: (ms, c) => (c.body.profileGroupId === undefined ? ms : 0),
  }),
  must('sync-200-when-queued', '202: the current status.', {
    answers: (a, c) => void (isSync(c) && fieldsOf(a.body).status === 'queued' && Object.assign(a, { status: 200 })),
  }),
  must('sync-timeout-25-is-over-at-20', 'Seconds to wait before returning 202.', {
    waits: (ms) => Math.min(ms, 20_000),
  }),
  must('sync-result-under-another-name', 'executionResult: present when a result was recorded.', {
    answers: (a, c) => {
      const body = fieldsOf(a.body);
      if (!isSync(c) || !body.executionResult) return;
      body.result = body.executionResult;
      delete body.executionResult;
    },
  }),
];
