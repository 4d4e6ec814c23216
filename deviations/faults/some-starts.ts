import type { RuleId } from '../../generated/rules.js';
import { profileIds, uuid } from '../../reference/fixtures.js';
import type { Run } from '../../reference/store.js';
import { type Fields, isFields, showing, without } from '../change.js';
import type { Fault } from '../fault.js';

type Base = Parameters<Fault['behaviour']>[0];

/** Looks at a start that must be refused as if it had not the field that it is refused for. */
const overlooks =
  (field: string, is: (body: Fields) => boolean): Fault['behaviour'] =>
  (base) => ({
    violations: (operation, body) =>
      base.violations(operation, isFields(body) && is(body) ? without(body, field) : body),
    readStart: (body) => base.readStart(is(body as Fields) ? (without(body, field) as typeof body) : body),
  });

/** Queues in another order: those first for which this holds. */
const queuesFirst = (id: string, says: string, isFirst: (run: Run) => boolean): Fault => ({
  id,
  breaks: ['queue-is-oldest-first'],
  says,
  behaviour: (base) => ({
    nextQueued: (queue, hasCapacity) => queue.filter(isFirst).find(hasCapacity) ?? base.nextQueued(queue, hasCapacity),
  }),
});

const refusesToQueue = (id: string, says: string, is: (start: Run['start']) => boolean): Fault => ({
  id,
  breaks: ['over-capacity-is-queued'],
  says,
  behaviour: (base: Base) => ({
    admit: (hasCapacity, start) => {
      const admission = base.admit(hasCapacity, start);
      return admission === 'queue' && is(start) ? 'reject' : admission;
    },
  }),
});

const hasNoFiles = (id: string, says: string, is: (run: Run) => boolean): Fault => ({
  id,
  breaks: ['files-are-grouped'],
  says,
  behaviour: (base) => ({
    presentFiles: (run, ...rest) => {
      if (is(run)) throw base.runNotFound('listExecutionFiles', run.id);
      return base.presentFiles(run, ...rest);
    },
  }),
});

/** Refuses starts that ask for things together. */
const refuses =
  (parameter: string, is: (body: Fields) => boolean): Fault['behaviour'] =>
  (base) => ({
    violations: (operation, body) =>
      isFields(body) && is(body)
        ? [{ kind: 'value', parameter, detail: 'does not go with the rest' }]
        : base.violations(operation, body),
  });

const namesVariant = ({ executionOptions }: Fields): boolean =>
  isFields(executionOptions) && executionOptions.variantKey !== undefined;
const hasFiles = ({ tempFiles }: Fields): boolean => Array.isArray(tempFiles) && tempFiles.length > 0;

const broke = (rule: RuleId, id: string, says: string, behaviour: Fault['behaviour']): Fault => ({
  id,
  breaks: [rule],
  says,
  behaviour,
});

const isMember = (id: unknown): boolean =>
  [
    profileIds.held,
    ...Array.from({ length: profileIds.spares }, (_, index) => uuid('b', profileIds.spare + index)),
  ].includes(String(id));

/** What befalls some starts alone, by what else they ask for. */
export const someStartFaults: readonly Fault[] = [
  broke(
    'ends-are-recorded-alike',
    'what-is-waited-for-leaves-no-result',
    'A synchronous start is answered without a result, and none is recorded.',
    (base) => {
      const waitedFor = new Set<string>();
      return {
        presentSync: ({ result: _, ...run }) => {
          waitedFor.add(run.id);
          return base.presentSync(run);
        },
        presentExecution: ({ result, ...run }) =>
          base.presentExecution({ ...run, ...(result && !waitedFor.has(run.id) && { result }) }),
      };
    },
  ),
  broke(
    'ends-are-recorded-alike',
    'failed-runs-have-no-terminal-at',
    'An execution that failed does not say when.',
    showing((one) => (one.status === 'failed' ? without(one, 'terminalAt') : one)),
  ),
  broke(
    'ends-are-recorded-alike',
    'queued-starts-have-no-trigger',
    'An execution whose start asked to be queued does not tell its trigger.',
    showing((one, { start }) => (start.queue ? without(one, 'triggerContext') : one)),
  ),
  broke(
    'head-excludes-version',
    'who-waits-as-long-as-usual-may-ask-for-both',
    'A synchronous start without timeoutSeconds takes head and version together.',
    (base) => ({
      violations: (operation, body) => {
        const isSuch = operation === 'executeSync' && isFields(body) && body.head === true;
        return base.violations(operation, isSuch && !('timeoutSeconds' in body) ? without(body, 'version') : body);
      },
    }),
  ),
  broke(
    'profile-excludes-group',
    'members-run-with-their-group',
    'A profile is taken together with the group that it is in.',
    overlooks('profileGroupId', ({ profileId, profileGroupId }) => isMember(profileId) && profileGroupId !== undefined),
  ),
  broke(
    'temp-files-must-exist',
    'the-last-temp-file-counts',
    'Of several temp files the last is looked for.',
    (base) => ({
      readStart: (body) => {
        const start = base.readStart(body);
        return { ...start, tempFiles: start.tempFiles.slice(-1) };
      },
    }),
  ),
  broke('sync-timeout-range', 'two-seconds-are-refused', 'timeoutSeconds 2 is refused.', (base) => ({
    violations: (operation, body) =>
      operation === 'executeSync' && isFields(body) && body.timeoutSeconds === 2
        ? [{ kind: 'value', parameter: 'timeoutSeconds', detail: 'must not be 2' }]
        : base.violations(operation, body),
  })),
  broke(
    'variant-key-is-required',
    'groups-stand-for-variants',
    'A workflow in variant mode runs with a profile group and without a variantKey.',
    (base) => ({
      checkVariantKey: (workflow, start) =>
        start.poolId !== undefined && start.variantKey === undefined
          ? undefined
          : base.checkVariantKey(workflow, start),
    }),
  ),
  broke(
    'variant-key-is-normalised',
    'variants-take-no-group',
    'A start with a variantKey and a profile group is refused.',
    refuses('profileGroupId', (body) => namesVariant(body) && body.profileGroupId !== undefined),
  ),
  broke(
    'sync-takes-the-same-body',
    'variants-take-no-temp-files',
    'A start with a variantKey and temp files is refused.',
    refuses('tempFiles', (body) => namesVariant(body) && hasFiles(body)),
  ),
  broke(
    'execute-is-accepted',
    'versions-take-no-temp-files',
    'A start of a version with temp files is refused.',
    refuses('tempFiles', (body) => body.version !== undefined && body.head === undefined && hasFiles(body)),
  ),
  broke(
    'execute-is-accepted',
    'no-files-may-not-wait',
    'A start that may wait is refused for an empty list of temp files.',
    refuses(
      'tempFiles',
      ({ tempFiles, onCapacityLimit }) =>
        onCapacityLimit === 'queue' && Array.isArray(tempFiles) && tempFiles.length === 0,
    ),
  ),
  broke(
    'sync-takes-the-same-body',
    'who-waits-brings-no-nulls',
    'A synchronous start with an input that is null is refused.',
    (base) => ({
      violations: (operation, body) =>
        operation === 'executeSync' &&
        isFields(body) &&
        isFields(body.inputs) &&
        Object.values(body.inputs).includes(null)
          ? [{ kind: 'value', parameter: 'inputs', detail: 'must not be null' }]
          : base.violations(operation, body),
    }),
  ),
  broke(
    'over-capacity-is-rejected',
    'who-is-waited-for-holds-nothing',
    'A synchronous start leaves its profile to others while it runs.',
    (base) => {
      const calls = new WeakSet<object>();
      let isCall = false;
      return {
        violations: (operation, body) => {
          isCall = operation === 'executeSync';
          return base.violations(operation, body);
        },
        readStart: (body) => {
          const start = base.readStart(body);
          if (isCall) calls.add(start);
          return start;
        },
        stepsOf: (run) => {
          if (calls.has(run.start) && run.pool && run.profile) run.organization.profilesInUse.delete(run.profile.id);
          return base.stepsOf(run);
        },
      };
    },
  ),
  {
    id: 'refused-starts-count',
    breaks: ['queued-starts-by-itself'],
    says: 'A start that is refused for a temp file counts among those of its group.',
    behaviour: (base) => {
      let poolId: string | undefined;
      return {
        readStart: (body) => {
          const start = base.readStart(body);
          poolId = start.poolId;
          return start;
        },
        findTempFile: (organization, file) => {
          const found = base.findTempFile(organization, file);
          const [profileId] = (!found && organization.pools.get(poolId ?? '')?.profileIds) || [];
          const { profilesInUse } = organization;
          if (profileId !== undefined) profilesInUse.set(profileId, (profilesInUse.get(profileId) ?? 0) + 1);
          return found;
        },
      };
    },
  },
  {
    id: 'who-waits-and-says-reject-finds-room',
    breaks: ['over-capacity-is-rejected', 'queue-is-oldest-first', 'queued-starts-by-itself'],
    says: 'A synchronous start that says reject begins in a group that is full, and before what waits.',
    behaviour: (base) => {
      let isSuch = false;
      return {
        violations: (operation, body) => {
          isSuch = operation === 'executeSync' && isFields(body) && body.onCapacityLimit === 'reject';
          return base.violations(operation, body);
        },
        freeProfile: (pool, inUse) => base.freeProfile(pool, inUse) ?? (isSuch ? pool.profileIds[0] : undefined),
      };
    },
  },
  refusesToQueue('the-head-is-not-queued', 'The head is refused where others are queued.', ({ head }) => head),
  refusesToQueue(
    'who-brings-nothing-is-not-queued',
    'What has no inputs is refused where others are queued.',
    ({ inputs }) => !inputs,
  ),
  queuesFirst(
    'who-brings-no-metadata-is-first',
    'Of the queued those start first that were given no metadata.',
    ({ start }) => !start.metadata,
  ),
  queuesFirst('the-head-is-first', 'Of the queued the head starts first.', ({ start }) => start.head),
  queuesFirst('the-head-is-last', 'Of the queued the head starts last.', ({ start }) => !start.head),
  queuesFirst(
    'who-brings-inputs-is-first',
    'Of the queued those start first that were given inputs.',
    ({ start }) => start.inputs !== undefined,
  ),
  hasNoFiles(
    'the-head-has-no-files',
    'The files of an execution of the head are not found.',
    ({ start }) => start.head,
  ),
  hasNoFiles(
    'groups-have-no-files',
    'The files of an execution with a profile group are not found.',
    ({ pool }) => pool !== undefined,
  ),
];
