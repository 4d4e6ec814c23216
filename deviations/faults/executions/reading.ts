/** Faults in how a single reading shows an execution. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Execution, TriggerContext } from '../../../generated/types.js';
import { iso } from '../../../reference/clock.js';
import { executionIds } from '../../../reference/fixtures.js';
import { changing, directories, eachFile, ended, everyTime, showing, without } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

/** Whether an execution was started by a request, unlike the initial ones. */
const isOwn = ({ id }: Execution) => id !== executionIds.seeded && id !== executionIds.rerun;
const elsewhere = '00000000-0000-4000-8000-000000000001';

/** Changes the trigger of executions that were started by a request. */
const triggered = (change: (one: Execution, trigger: TriggerContext) => object): Fault['behaviour'] =>
  showing((one, { trigger }) =>
    trigger && isOwn(one) ? { ...one, triggerContext: { ...trigger, ...change(one, trigger) } } : one,
  );

export const readingFaults: readonly Fault[] = [
  ...breaking('execution-is-the-one-asked-for', {
    'executions-show-another-id': [
      'The id of an execution that is read is not the one that was asked for.',
      showing((one) => ({ ...one, id: one.workflowId })),
    ],
    'executions-show-another-workflow': [
      'The workflowId of an execution is the id of its agent.',
      showing((one) => ({ ...one, workflowId: one.agentId })),
      'files-belong-to-execution',
    ],
    'results-name-another-execution': [
      'The result in a reading names another execution.',
      showing(({ executionResult, ...one }) => ({
        ...one,
        ...(executionResult && { executionResult: { ...executionResult, executionId: one.workflowId } }),
      })),
      'sync-result-agrees',
    ],
  }),
  ...breaking('accepted-execution-is-readable', {
    'ended-executions-are-gone': [
      'An execution that has ended cannot be read.',
      changing('findRun', (run, _organization, id) =>
        run && isTerminal(run.status) && id !== executionIds.seeded ? undefined : run,
      ),
      'sync-202-keeps-running',
      'files-are-grouped',
    ],
  }),
  ...breaking('deprecated-urls-agree', {
    'old-live-view-url-differs': [
      'browserLiveViewUrl leads elsewhere than liveViewUrl.',
      showing(({ browserLiveViewUrl: url, ...one }) => ({ ...one, ...(url && { browserLiveViewUrl: `${url}/old` }) })),
    ],
    'old-recording-url-differs': [
      'browserRecordingUrl leads elsewhere than recordingUrl.',
      showing(({ browserRecordingUrl: url, ...one }) => ({
        ...one,
        ...(url && { browserRecordingUrl: `${url}/old` }),
      })),
    ],
  }),
  ...breaking('script-failures-omitted-when-none', {
    'script-failures-are-empty': [
      'scriptFailures is an empty list when none occurred.',
      showing((one) => ({ scriptFailures: [], ...one })),
      'response-matches-schema',
    ],
  }),
  ...breaking('trigger-is-api', {
    'trigger-is-manual': [
      'An execution that a key started says that somebody started it by hand.',
      (base) => ({ triggerOf: (key) => ({ ...base.triggerOf(key), source: 'manual' }) }),
    ],
    'trigger-keys-are-those-of-executions': [
      'The apiKey that a trigger names has the id of the execution.',
      triggered(({ id }) => ({ apiKey: { id, name: 'Full' } })),
    ],
    'runners-are-those-of-executions': [
      'The runner that a trigger names has the id of the execution.',
      triggered(({ id }, { runner }) => ({ runner: { ...runner, userId: id } })),
    ],
  }),
  ...breaking('trigger-names-its-key', {
    'trigger-lacks-the-key': [
      'An execution that a key started does not say which.',
      showing((one) => (isOwn(one) ? { ...one, triggerContext: { source: 'api' } } : one)),
    ],
    'trigger-key-is-a-text': [
      'The key that started an execution is told by its name alone.',
      triggered(() => ({ apiKey: 'Full' })),
      'response-matches-schema',
    ],
  }),
  ...breaking('fresh-execution-not-rerun', {
    'fresh-executions-say-rerun': [
      'hasBeenRerun is true of every execution.',
      showing((one) => ({ ...one, hasBeenRerun: true })),
    ],
    'fresh-executions-have-a-parent': [
      'Every execution has a parentExecutionId, its own if there is no other.',
      showing((one) => ({ parentExecutionId: one.id, ...one })),
    ],
  }),
  ...breaking('identity-is-constant', {
    'organizations-are-those-of-executions': [
      'An execution has its own id for that of its organization.',
      showing((one) => ({ ...one, organizationId: one.id })),
    ],
    'profiles-of-groups-change-at-the-end': [
      'An execution that was given a group shows another profile when it has ended.',
      showing((one, { pool }) =>
        pool && isTerminal(one.status) && one.agentProfileId ? { ...one, agentProfileId: one.workflowId } : one,
      ),
      'group-profile-is-recorded',
    ],
    'files-of-another-agent': [
      'A file names another agent than that of the execution.',
      directories(eachFile((file) => ({ ...file, agentId: file.id }))),
    ],
    'triggers-are-dropped': [
      'An execution that has ended does not show its trigger any more.',
      showing((one) => (ended(one) ? without(one, 'triggerContext') : one)),
    ],
    'runners-change': [
      'The runner of an execution is another one once it has ended.',
      showing((one) =>
        ended(one) && one.triggerContext?.runner
          ? { ...one, triggerContext: { ...one.triggerContext, runner: { userId: elsewhere } } }
          : one,
      ),
      'trigger-is-api',
    ],
    'storage-keys-change': [
      'The sharedStorageKey of an execution is another one once it has ended.',
      showing((one) =>
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
    ],
    'created-at-is-now': [
      'createdAt is later with each reading after the end.',
      everyTime((one, reading) => ({ ...one, createdAt: iso(Date.parse(one.createdAt) + reading) })),
    ],
  }),
];
