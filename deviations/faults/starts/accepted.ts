import { isTerminal } from '../../../generated/lifecycle.js';
import { pathPrefix } from '../../../generated/sends.js';
import type { InitialExecutionStatus } from '../../../generated/types.js';
import { refuseParameter } from '../../../reference/errors.js';
import type { Run } from '../../../reference/store.js';
import {
  answering,
  type Fields,
  firstOfEqual,
  giving,
  hasFiles,
  ifFull,
  isFields,
  optionsOf,
  refusing,
  showing,
} from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

const onlyWhenTaken = (status: number, headers = {}): Fault['behaviour'] =>
  answering((answer, { operation }) =>
    operation === 'execute' && answer.status < 300 ? { ...answer, status, headers } : answer,
  );

/** Waits for the end of asynchronous starts of this kind. */
const waitingIf =
  (is: (body: Fields) => boolean): Fault['behaviour'] =>
  (base) => {
    let waits = false;
    return {
      readStart: (body) => {
        waits = is({ ...body });
        return base.readStart(body);
      },
      asyncWaitMs: () => (waits ? 60_000 : base.asyncWaitMs()),
    };
  };

/** Faults in the answers to starts, and in what is done with their fields. */
export const acceptedFaults: readonly Fault[] = [
  ...breaking('execute-is-accepted', {
    'who-would-wait-names-a-group': [
      refusing(
        'body',
        (body) =>
          ifFull(body) === 'queue' && body.profileGroupId === undefined && body.agentProfilePoolId === undefined,
      ),
      'sync-takes-the-same-body',
    ],
    'inputs-are-shallow': [
      refusing('body', ({ inputs }) => /\[[^\]]*\[/.test(JSON.stringify(inputs ?? null))),
      'sync-takes-the-same-body',
    ],
    'empty-bodies-are-refused': refusing(
      'inputs',
      (body, operation) => operation === 'execute' && Object.keys(body).length === 0,
    ),
    'inputs-are-flat': [
      refusing(
        'inputs',
        (body) => isFields(body.inputs) && Object.values(body.inputs).some((one) => one instanceof Object),
      ),
      'sync-takes-the-same-body',
    ],
    'inputs-are-texts': [
      refusing('inputs', (body) =>
        [body.inputs, body.dynamicData]
          .filter(isFields)
          .some((given) => Object.values(given).some((one) => typeof one !== 'string')),
      ),
      'sync-takes-the-same-body',
      'deprecated-fields-still-work',
    ],
    'versions-take-no-temp-files': refusing(
      'tempFiles',
      (body) => body.version !== undefined && body.head === undefined && hasFiles(body),
    ),
    'no-files-may-not-wait': [
      refusing(
        'tempFiles',
        (body) => ifFull(body) === 'queue' && Array.isArray(body.tempFiles) && body.tempFiles.length === 0,
      ),
      'sync-takes-the-same-body',
    ],
    'execute-answers-200': [onlyWhenTaken(200), 'status-is-documented'],
    'execute-redirects': [onlyWhenTaken(303, { Location: `${pathPrefix}/executions` }), 'status-is-documented'],
    'empty-inputs-are-refused': refusing(
      'inputs',
      (body, operation) => operation === 'execute' && isFields(body.inputs) && Object.keys(body.inputs).length === 0,
    ),
    'starts-share-an-execution': (base) => {
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
    'starts-share-the-execution-of-a-call': (base) => {
      const called = new Map<string, Run>();
      return {
        presentSync: (run) => {
          called.set(run.workflow.id, run);
          return base.presentSync(run);
        },
        presentStarted: (run, status) => base.presentStarted(called.get(run.workflow.id) ?? run, status),
      };
    },
    'equal-starts-share-an-execution': (base) => {
      const firstOf = firstOfEqual();
      return { presentStarted: (run, status) => base.presentStarted(firstOf(run), status) };
    },
  }),
  ...breaking('execute-initial-status', {
    'initial-status-is-running': [
      (base) => ({
        initialStatus: (admission) =>
          admission === 'start' ? ('running' as InitialExecutionStatus) : base.initialStatus(admission),
      }),
      'response-matches-schema',
    ],
    'initial-status-is-pending': [
      () => ({ initialStatus: () => 'pending' as InitialExecutionStatus }),
      'response-matches-schema',
    ],
    'asking-to-queue-is-being-queued': giving('presentStarted', (status, run) => (run.start.queue ? 'queued' : status)),
    'a-group-is-asked-through-the-queue': giving('presentStarted', (status, run) =>
      run.start.queue && run.start.poolId !== undefined ? 'queued' : status,
    ),
  }),
  ...breaking('queued-only-when-asked', {
    'waiting-is-the-default': [
      (base) => ({
        readStart: (body) => ({
          ...base.readStart(body),
          queue: ifFull(body) === 'queue' || (ifFull(body) === undefined && body.tempFiles === undefined),
        }),
      }),
      'over-capacity-is-rejected',
    ],
    'reject-is-queued': [
      (base) => ({
        readStart: (body) => ({ ...base.readStart(body), queue: ifFull(body) !== undefined }),
      }),
      'over-capacity-is-rejected',
      'sync-takes-the-same-body',
    ],
    'initial-status-is-queued': () => ({ initialStatus: () => 'queued' }),
    'starting-reads-as-queued': showing((one) => (one.status === 'starting' ? { ...one, status: 'queued' } : one)),
  }),
  ...breaking('execute-returns-at-once', {
    'execute-waits-for-the-end': () => ({ asyncWaitMs: () => 25_000 }),
    'queued-starts-wait-for-their-turn': (base) => {
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
    'starts-with-options-wait-for-the-end': waitingIf((body) => optionsOf(body).softTimeoutMins !== undefined),
    'starts-of-the-head-wait-for-the-end': waitingIf(({ head }) => head === true),
  }),
  ...breaking('variant-key-is-normalised', {
    'variant-keys-are-no-paths': refusing('body', (body) => /\\\\|\.\./.test(String(optionsOf(body).variantKey ?? ''))),
    'variants-take-no-soft-timeout': refusing(
      'body',
      (body) => optionsOf(body).variantKey !== undefined && optionsOf(body).softTimeoutMins !== undefined,
    ),
    'variant-keys-have-few-characters': refusing(
      'executionOptions.variantKey',
      (body) => optionsOf(body).variantKey !== undefined && /[^\p{L}\d ./-]/u.test(String(optionsOf(body).variantKey)),
    ),
    'variants-take-no-group': refusing(
      'profileGroupId',
      (body) => optionsOf(body).variantKey !== undefined && body.profileGroupId !== undefined,
    ),
  }),
  ...breaking('storage-key-is-a-slug', {
    'variants-share-their-storage': (base) => ({ slug: (key) => base.slug(key) && 'variant' }),
    'variant-keys-come-to-nothing': () => ({ slug: (key) => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '') }),
  }),
  ...breaking('version-and-head-are-accepted', {
    'versions-are-refused': (base) => ({
      checkSelection: (start) =>
        start.version === undefined ? base.checkSelection(start) : refuseParameter(400, 'version', 'cannot be chosen'),
    }),
    'head-is-refused': (base) => ({
      checkSelection: (start) =>
        start.head ? refuseParameter(400, 'head', 'cannot be run') : base.checkSelection(start),
    }),
  }),
  ...breaking('deprecated-fields-still-work', {
    'agentProfilePoolId-is-ignored': [
      (base) => ({ readStart: ({ agentProfilePoolId: _, ...body }) => base.readStart(body) }),
      'deleted-pool-cannot-run',
    ],
    'agentProfileId-is-refused': refusing('agentProfileId', (body) => 'agentProfileId' in body),
    'old-names-exclude-nothing': (base) => {
      let isMixed = false;
      return {
        readStart: (body) => {
          isMixed = body.agentProfileId !== undefined || body.agentProfilePoolId !== undefined;
          return base.readStart(body);
        },
        checkSelection: (start) => (isMixed ? undefined : base.checkSelection(start)),
      };
    },
    'deprecated-groups-are-never-queued': refusing(
      'agentProfilePoolId',
      (body) => ifFull(body) === 'queue' && body.agentProfilePoolId !== undefined,
    ),
    'sync-refuses-agentProfilePoolId': refusing(
      'agentProfilePoolId',
      (body, operation) => operation === 'executeSync' && 'agentProfilePoolId' in body,
    ),
  }),
];
