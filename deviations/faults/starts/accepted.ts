import { isTerminal } from '../../../generated/lifecycle.js';
import type { InitialExecutionStatus } from '../../../generated/types.js';
import { refuseParameter } from '../../../reference/errors.js';
import type { Run } from '../../../reference/store.js';
import { answering, bodyOf, hasFiles, isFields, optionsOf, refusing, showing, without } from '../../change.js';
import type { Fault } from '../../fault.js';

const onlyWhenTaken = (status: number, headers = {}): Fault['behaviour'] =>
  answering((answer, { operation }) =>
    operation === 'execute' && answer.status < 300 ? { ...answer, status, headers } : answer,
  );

/** Faults in the answers to starts, and in what is done with their fields. */
export const acceptedFaults: readonly Fault[] = [
  {
    id: 'who-would-wait-names-a-group',
    breaks: ['execute-is-accepted', 'sync-takes-the-same-body'],
    says: 'A start without a group that would wait for capacity is refused.',
    behaviour: refusing(
      'body',
      (body) =>
        body.onCapacityLimit === 'queue' && body.profileGroupId === undefined && body.agentProfilePoolId === undefined,
    ),
  },
  {
    id: 'inputs-are-shallow',
    breaks: ['execute-is-accepted', 'sync-takes-the-same-body'],
    says: 'A start whose inputs have lists in lists, however deep, is refused.',
    behaviour: refusing('body', ({ inputs }) => /\[[^\]]*\[/.test(JSON.stringify(inputs ?? null))),
  },
  {
    id: 'empty-bodies-are-refused',
    breaks: ['execute-is-accepted'],
    says: 'A start that asks for nothing is refused.',
    behaviour: refusing('inputs', (body, operation) => operation === 'execute' && Object.keys(body).length === 0),
  },
  {
    id: 'inputs-are-flat',
    breaks: ['execute-is-accepted', 'sync-takes-the-same-body'],
    says: 'A start with an object or a list among its inputs is refused.',
    behaviour: refusing(
      'inputs',
      (body) => isFields(body.inputs) && Object.values(body.inputs).some((one) => one instanceof Object),
    ),
  },
  {
    id: 'inputs-are-texts',
    breaks: ['execute-is-accepted', 'sync-takes-the-same-body'],
    says: 'A start with anything but texts among its inputs is refused, also under their old name.',
    behaviour: refusing('inputs', (body) =>
      [body.inputs, body.dynamicData]
        .filter(isFields)
        .some((given) => Object.values(given).some((one) => typeof one !== 'string')),
    ),
  },
  {
    id: 'metadata-is-one-pair',
    breaks: ['execute-is-accepted'],
    says: 'A start with two pairs of metadata or more is refused.',
    behaviour: refusing(
      'metadata',
      ({ metadata }, operation) => operation === 'execute' && isFields(metadata) && Object.keys(metadata).length > 1,
    ),
  },
  {
    id: 'groups-take-no-version',
    breaks: ['execute-is-accepted'],
    says: 'A start of a version with a profile group is refused.',
    behaviour: refusing(
      'version',
      (body, operation) => operation === 'execute' && 'version' in body && 'profileGroupId' in body,
    ),
  },
  {
    id: 'versions-take-no-temp-files',
    breaks: ['execute-is-accepted'],
    says: 'A start of a version with temp files is refused.',
    behaviour: refusing('tempFiles', (body) => body.version !== undefined && body.head === undefined && hasFiles(body)),
  },
  {
    id: 'no-files-may-not-wait',
    breaks: ['execute-is-accepted'],
    says: 'A start that may wait is refused for an empty list of temp files.',
    behaviour: refusing(
      'tempFiles',
      ({ tempFiles, onCapacityLimit }) =>
        onCapacityLimit === 'queue' && Array.isArray(tempFiles) && tempFiles.length === 0,
    ),
  },
  {
    id: 'execute-answers-200',
    breaks: ['execute-is-accepted', 'status-is-documented'],
    says: 'An accepted start is answered 200.',
    behaviour: onlyWhenTaken(200),
  },
  {
    id: 'execute-redirects',
    breaks: ['execute-is-accepted', 'status-is-documented'],
    says: 'An accepted start is answered 303, with the way to the execution.',
    behaviour: onlyWhenTaken(303, { Location: '/agents/v2/executions' }),
  },
  {
    id: 'execute-gives-no-id',
    breaks: ['execute-is-accepted', 'response-matches-schema'],
    says: 'An accepted start does not say which execution it started.',
    behaviour: bodyOf('execute', (body) => without(body, 'executionId')),
  },
  {
    id: 'execute-gives-a-number',
    breaks: ['execute-is-accepted', 'response-matches-schema'],
    says: 'The id of a started execution is a number.',
    behaviour: bodyOf('execute', (body) => ({ ...body, executionId: 4711 })),
  },
  {
    id: 'empty-inputs-are-refused',
    breaks: ['execute-is-accepted'],
    says: 'A start with inputs that are empty is refused.',
    behaviour: refusing(
      'inputs',
      (body, operation) => operation === 'execute' && isFields(body.inputs) && Object.keys(body.inputs).length === 0,
    ),
  },
  {
    id: 'starts-share-an-execution',
    breaks: ['execute-is-accepted'],
    says: 'A start is answered with the execution of the workflow that runs already.',
    behaviour: (base) => {
      const running = new Map<string, Run>();
      return {
        presentStarted: (run, status) => {
          const other = running.get(run.workflow.id);
          if (other && !isTerminal(other.status)) return base.presentStarted(other, status);
          running.set(run.workflow.id, run);
          return base.presentStarted(run, status);
        },
      };
    },
  },
  {
    id: 'starts-share-the-execution-of-a-call',
    breaks: ['execute-is-accepted'],
    says: 'A start is answered with the execution of the synchronous call of the workflow before it.',
    behaviour: (base) => {
      const called = new Map<string, Run>();
      return {
        presentSync: (run) => {
          called.set(run.workflow.id, run);
          return base.presentSync(run);
        },
        presentStarted: (run, status) => base.presentStarted(called.get(run.workflow.id) ?? run, status),
      };
    },
  },
  {
    id: 'equal-starts-share-an-execution',
    breaks: ['execute-is-accepted'],
    says: 'A start that was sent before is answered with the execution of then.',
    behaviour: (base) => {
      const runs = new Map<string, Run>();
      return {
        presentStarted: (run, status) => {
          const request = JSON.stringify([run.workflow.id, run.start]);
          const first = runs.get(request) ?? run;
          runs.set(request, first);
          return base.presentStarted(first, status);
        },
      };
    },
  },
  {
    id: 'initial-status-is-running',
    breaks: ['execute-initial-status', 'response-matches-schema'],
    says: 'An execution that starts at once is answered as running.',
    behaviour: (base) => ({
      initialStatus: (admission) =>
        admission === 'start' ? ('running' as InitialExecutionStatus) : base.initialStatus(admission),
    }),
  },
  {
    id: 'initial-status-is-pending',
    breaks: ['execute-initial-status', 'response-matches-schema'],
    says: 'Every start is answered with a status of its own, pending.',
    behaviour: () => ({ initialStatus: () => 'pending' as InitialExecutionStatus }),
  },
  {
    id: 'asking-to-queue-is-being-queued',
    breaks: ['execute-initial-status'],
    says: 'A start with onCapacityLimit queue is answered as queued, also when it begins at once.',
    behaviour: (base) => ({
      presentStarted: (run, status) => base.presentStarted(run, run.start.queue ? 'queued' : status),
    }),
  },
  {
    id: 'a-group-is-asked-through-the-queue',
    breaks: ['execute-initial-status'],
    says: 'A start for a group with onCapacityLimit queue is answered as queued, also when it begins at once.',
    behaviour: (base) => ({
      presentStarted: (run, status) =>
        base.presentStarted(run, run.start.queue && run.start.poolId !== undefined ? 'queued' : status),
    }),
  },
  {
    id: 'waiting-is-the-default',
    breaks: ['queued-only-when-asked', 'over-capacity-is-rejected'],
    says: 'A start that says nothing of capacity is queued when there is none.',
    behaviour: (base) => ({
      readStart: (body) => ({
        ...base.readStart(body),
        queue: body.onCapacityLimit === 'queue' || (body.onCapacityLimit === undefined && body.tempFiles === undefined),
      }),
    }),
  },
  {
    id: 'reject-is-queued',
    breaks: ['queued-only-when-asked', 'over-capacity-is-rejected', 'sync-takes-the-same-body'],
    says: 'A start with onCapacityLimit reject is queued when there is no capacity.',
    behaviour: (base) => ({
      readStart: (body) => ({ ...base.readStart(body), queue: body.onCapacityLimit !== undefined }),
    }),
  },
  {
    id: 'initial-status-is-queued',
    breaks: ['queued-only-when-asked'],
    says: 'Every start is answered as queued.',
    behaviour: () => ({ initialStatus: () => 'queued' }),
  },
  {
    id: 'starting-reads-as-queued',
    breaks: ['queued-only-when-asked'],
    says: 'An execution that is starting is read as queued.',
    behaviour: showing((one) => (one.status === 'starting' ? { ...one, status: 'queued' } : one)),
  },
  {
    id: 'execute-waits-for-the-end',
    breaks: ['execute-returns-at-once'],
    says: 'The asynchronous start is answered when the run has ended.',
    behaviour: () => ({ asyncWaitMs: () => 25_000 }),
  },
  {
    id: 'queued-starts-wait-for-their-turn',
    breaks: ['execute-returns-at-once'],
    says: 'An asynchronous start that is queued is answered, as queued, when it begins.',
    behaviour: (base) => {
      const ours = new WeakSet<object>();
      let isAsync = false;
      return {
        violations: (operation, body) => {
          isAsync = operation === 'execute';
          return base.violations(operation, body);
        },
        readStart: (body) => {
          const start = base.readStart(body);
          if (isAsync) ours.add(start);
          return start;
        },
        asyncWaitMs: () => 60_000,
        endsWait: (run) => (ours.has(run.start) ? run.status !== 'queued' : base.endsWait(run)),
      };
    },
  },
  {
    id: 'starts-with-options-wait-for-the-end',
    breaks: ['execute-returns-at-once'],
    says: 'An asynchronous start with a soft timeout is answered when the run has ended.',
    behaviour: (base) => {
      let waits = false;
      return {
        readStart: (body) => {
          const start = base.readStart(body);
          waits = start.softTimeoutMins !== undefined;
          return start;
        },
        asyncWaitMs: () => (waits ? 60_000 : base.asyncWaitMs()),
      };
    },
  },
  {
    id: 'variant-keys-are-no-paths',
    breaks: ['variant-key-is-normalised'],
    says: 'A start with a variantKey that has a backslash in it, or two dots in a row, is refused.',
    behaviour: refusing('body', (body) => /\\\\|\.\./.test(String(optionsOf(body).variantKey ?? ''))),
  },
  {
    id: 'variants-take-no-soft-timeout',
    breaks: ['variant-key-is-normalised'],
    says: 'A start with a variantKey and softTimeoutMins is refused.',
    behaviour: refusing(
      'body',
      (body) => optionsOf(body).variantKey !== undefined && optionsOf(body).softTimeoutMins !== undefined,
    ),
  },
  {
    id: 'variant-keys-have-few-characters',
    breaks: ['variant-key-is-normalised'],
    says: 'A variantKey with other characters than letters, digits, blanks, dots and slashes is refused.',
    behaviour: refusing(
      'executionOptions.variantKey',
      (body) => optionsOf(body).variantKey !== undefined && /[^\p{L}\d ./-]/u.test(String(optionsOf(body).variantKey)),
    ),
  },
  {
    id: 'variants-take-no-group',
    breaks: ['variant-key-is-normalised'],
    says: 'A start with a variantKey and a profile group is refused.',
    behaviour: refusing(
      'profileGroupId',
      (body) => optionsOf(body).variantKey !== undefined && body.profileGroupId !== undefined,
    ),
  },
  {
    id: 'variant-keys-must-be-slugs',
    breaks: ['variant-key-is-normalised'],
    says: 'A variantKey that is no slug is refused.',
    behaviour: (base) => ({
      checkVariantKey: (workflow, start) =>
        start.variantKey !== undefined && start.variantKey !== base.slug(start.variantKey)
          ? refuseParameter(400, 'executionOptions.variantKey', 'must be a slug')
          : base.checkVariantKey(workflow, start),
    }),
  },
  {
    id: 'variants-share-their-storage',
    breaks: ['storage-key-is-a-slug'],
    says: 'Every variant has the same sharedStorageKey.',
    behaviour: (base) => ({ slug: (key) => base.slug(key) && 'variant' }),
  },
  {
    id: 'variant-keys-stay-as-they-are',
    breaks: ['storage-key-is-a-slug'],
    says: 'No slug is made of a variantKey.',
    behaviour: () => ({ slug: (key) => key }),
  },
  {
    id: 'variant-keys-lead-upwards',
    breaks: ['storage-key-is-a-slug'],
    says: 'The slug of a variantKey is two dots.',
    behaviour: () => ({ slug: () => '..' }),
  },
  {
    id: 'variant-keys-come-to-nothing',
    breaks: ['storage-key-is-a-slug'],
    says: 'The slug of a variantKey without a letter or digit is empty.',
    behaviour: () => ({ slug: (key) => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '') }),
  },
  {
    id: 'versions-are-refused',
    breaks: ['version-and-head-are-accepted'],
    says: 'Only the published version runs, and only where no version is asked for.',
    behaviour: (base) => ({
      checkSelection: (start) =>
        start.version === undefined ? base.checkSelection(start) : refuseParameter(400, 'version', 'cannot be chosen'),
    }),
  },
  {
    id: 'head-is-refused',
    breaks: ['version-and-head-are-accepted'],
    says: 'The editable head cannot be run.',
    behaviour: (base) => ({
      checkSelection: (start) =>
        start.head ? refuseParameter(400, 'head', 'cannot be run') : base.checkSelection(start),
    }),
  },
  {
    id: 'old-names-exclude-nothing',
    breaks: ['deprecated-fields-still-work'],
    says: 'A profile and a group are taken together where one of them has its old name.',
    behaviour: (base) => {
      let isMixed = false;
      return {
        readStart: (body) => {
          isMixed = body.agentProfileId !== undefined || body.agentProfilePoolId !== undefined;
          return base.readStart(body);
        },
        checkSelection: (start) => (isMixed ? undefined : base.checkSelection(start)),
      };
    },
  },
  {
    id: 'deprecated-groups-are-never-queued',
    breaks: ['deprecated-fields-still-work'],
    says: 'A start with agentProfilePoolId and onCapacityLimit queue is refused.',
    behaviour: refusing(
      'agentProfilePoolId',
      (body) => body.onCapacityLimit === 'queue' && body.agentProfilePoolId !== undefined,
    ),
  },
  ...(['agentProfileId', 'agentProfilePoolId', 'dynamicData'] as const).flatMap((field): Fault[] => [
    {
      id: `${field}-is-ignored`,
      breaks:
        field === 'agentProfilePoolId'
          ? ['deprecated-fields-still-work', 'deleted-pool-cannot-run']
          : ['deprecated-fields-still-work'],
      says: `A start with ${field} runs as if it had not been sent.`,
      behaviour: (base) => ({ readStart: ({ [field]: _, ...body }) => base.readStart(body) }),
    },
    {
      id: `${field}-is-refused`,
      breaks: ['deprecated-fields-still-work'],
      says: `A start with ${field} is refused.`,
      behaviour: refusing(field, (body) => field in body),
    },
  ]),
  {
    id: 'sync-refuses-agentProfilePoolId',
    breaks: ['deprecated-fields-still-work'],
    says: 'A synchronous start with agentProfilePoolId is refused.',
    behaviour: refusing(
      'agentProfilePoolId',
      (body, operation) => operation === 'executeSync' && 'agentProfilePoolId' in body,
    ),
  },
];
