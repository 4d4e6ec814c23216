/** Faults in how a single reading shows an execution. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Execution, TriggerContext } from '../../../generated/types.js';
import { iso } from '../../../reference/clock.js';
import { executionIds } from '../../../reference/fixtures.js';
import { changing, directories, eachFile, ended, everyTime, showing, without } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

/** Whether an execution was started by a request, unlike the initial ones. */
const isOwn = ({ id }: Execution) => id !== executionIds.seeded && id !== executionIds.rerun;

/** Changes the trigger of executions that were started by a request. */
const triggered = (change: (one: Execution, trigger: TriggerContext) => object): Fault['behaviour'] =>
  showing((one, { trigger }) =>
    trigger && isOwn(one) ? { ...one, triggerContext: { ...trigger, ...change(one, trigger) } } : one,
  );

export const readingFaults: readonly Fault[] = [
  ...breaking('execution-is-the-one-asked-for', {
    'executions-show-another-id': showing((one) => ({ ...one, id: one.workflowId })),
    'executions-show-another-workflow': [
      showing((one) => ({ ...one, workflowId: one.agentId })),
      'files-belong-to-execution',
    ],
    'results-name-another-execution': [
      showing(({ executionResult, ...one }) => ({
        ...one,
        ...(executionResult && { executionResult: { ...executionResult, executionId: one.workflowId } }),
      })),
      'sync-result-agrees',
    ],
  }),
  ...breaking('accepted-execution-is-readable', {
    'ended-executions-are-gone': [
      changing('findRun', (run, _organization, id) =>
        run && isTerminal(run.status) && id !== executionIds.seeded ? undefined : run,
      ),
      'sync-202-keeps-running',
      'files-are-grouped',
      'execution-is-readable-at-once?',
      'over-capacity-is-queued?',
    ],
  }),
  ...breaking('deprecated-urls-agree', {
    'old-live-view-url-differs': showing(({ browserLiveViewUrl: url, ...one }) => ({
      ...one,
      ...(url && { browserLiveViewUrl: `${url}/old` }),
    })),
    'old-recording-url-differs': showing(({ browserRecordingUrl: url, ...one }) => ({
      ...one,
      ...(url && { browserRecordingUrl: `${url}/old` }),
    })),
  }),
  ...breaking('script-failures-omitted-when-none', {
    'script-failures-are-empty': [showing((one) => ({ scriptFailures: [], ...one })), 'response-matches-schema'],
  }),
  ...breaking('trigger-is-api', {
    'trigger-is-manual': (base) => ({ triggerOf: (key) => ({ ...base.triggerOf(key), source: 'manual' }) }),
    'trigger-keys-are-those-of-executions': triggered(({ id }) => ({ apiKey: { id, name: 'Full' } })),
    'runners-are-those-of-executions': triggered(({ id }, { runner }) => ({ runner: { ...runner, userId: id } })),
  }),
  ...breaking('trigger-names-its-key', {
    'trigger-lacks-the-key': showing((one) => (isOwn(one) ? { ...one, triggerContext: { source: 'api' } } : one)),
    'trigger-key-is-a-text': [triggered(() => ({ apiKey: 'Full' })), 'response-matches-schema'],
  }),
  ...breaking('fresh-execution-not-rerun', {
    'fresh-executions-say-rerun': showing((one) => ({ ...one, hasBeenRerun: true })),
    'fresh-executions-have-a-parent': showing((one) => ({ parentExecutionId: one.id, ...one })),
  }),
  ...breaking('identity-is-constant', {
    'organizations-are-those-of-executions': showing((one) => ({ ...one, organizationId: one.id })),
    'profiles-of-groups-change-at-the-end': [
      showing((one, { pool }) =>
        pool && isTerminal(one.status) && one.agentProfileId ? { ...one, agentProfileId: one.workflowId } : one,
      ),
      'group-profile-is-recorded',
    ],
    'files-of-another-agent': directories(eachFile((file) => ({ ...file, agentId: file.id }))),
    'triggers-are-dropped': showing((one) => (ended(one) ? without(one, 'triggerContext') : one)),
    'runners-change': [
      showing((one) =>
        ended(one) && one.triggerContext?.runner
          ? { ...one, triggerContext: { ...one.triggerContext, runner: { userId: one.workflowId } } }
          : one,
      ),
      'trigger-is-api',
    ],
    'storage-keys-change': showing((one) =>
      ended(one) && one.executionOptions?.sharedStorageKey
        ? {
            ...one,
            executionOptions: {
              ...one.executionOptions,
              sharedStorageKey: `${one.executionOptions.sharedStorageKey}-2`,
            },
          }
        : one,
    ),
    'created-at-is-now': everyTime((one, reading) => ({ ...one, createdAt: iso(Date.parse(one.createdAt) + reading) })),
  }),
];
