/** Faults in how a single reading shows an execution. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Execution } from '../../../generated/types.js';
import { iso } from '../../../reference/clock.js';
import { executionIds } from '../../../reference/fixtures.js';
import { directories, eachFile, ended, everyTime, showing, without } from '../../change.js';
import type { Fault } from '../../fault.js';

/** Whether an execution was started by a request, unlike the initial ones. */
const isOwn = ({ id }: Execution) => id !== executionIds.seeded && id !== executionIds.rerun;
const elsewhere = '00000000-0000-4000-8000-000000000001';

export const readingFaults: readonly Fault[] = [
  {
    id: 'executions-show-another-id',
    breaks: ['execution-is-the-one-asked-for'],
    says: 'The id of an execution that is read is not the one that was asked for.',
    behaviour: showing((one) => ({ ...one, id: one.workflowId })),
  },
  {
    id: 'executions-show-another-workflow',
    breaks: ['execution-is-the-one-asked-for'],
    says: 'The workflowId of an execution is the id of its agent.',
    behaviour: showing((one) => ({ ...one, workflowId: one.agentId })),
  },
  {
    id: 'results-name-another-execution',
    breaks: ['execution-is-the-one-asked-for', 'sync-result-agrees'],
    says: 'The result in a reading names another execution.',
    behaviour: showing(({ executionResult, ...one }) => ({
      ...one,
      ...(executionResult && { executionResult: { ...executionResult, executionId: one.workflowId } }),
    })),
  },
  {
    id: 'comments-name-another-execution',
    breaks: ['execution-is-the-one-asked-for'],
    says: 'A comment on an execution names another one.',
    behaviour: showing((one) => ({
      ...one,
      comments: one.comments.map((comment) => ({ ...comment, executionId: executionIds.rerun })),
    })),
  },
  {
    id: 'ended-executions-are-gone',
    breaks: ['accepted-execution-is-readable', 'sync-202-keeps-running', 'files-are-grouped'],
    says: 'An execution that has ended cannot be read.',
    behaviour: (base) => ({
      findRun: (organization, id) => {
        const run = base.findRun(organization, id);
        return run && isTerminal(run.status) && id !== executionIds.seeded ? undefined : run;
      },
    }),
  },
  {
    id: 'executions-appear-late',
    breaks: ['accepted-execution-is-readable'],
    says: 'The first reading of an execution is answered 404.',
    behaviour: (base) => {
      const asked = new Set<string>([executionIds.seeded]);
      return {
        findRun: (organization, id) => {
          const known = asked.has(id);
          asked.add(id);
          return known ? base.findRun(organization, id) : undefined;
        },
      };
    },
  },
  {
    id: 'old-live-view-url-differs',
    breaks: ['deprecated-urls-agree'],
    says: 'browserLiveViewUrl leads elsewhere than liveViewUrl.',
    behaviour: showing((one) => ({
      ...one,
      ...(one.browserLiveViewUrl && { browserLiveViewUrl: `${one.browserLiveViewUrl}/old` }),
    })),
  },
  {
    id: 'old-recording-url-differs',
    breaks: ['deprecated-urls-agree'],
    says: 'browserRecordingUrl leads elsewhere than recordingUrl.',
    behaviour: showing((one) => ({
      ...one,
      ...(one.browserRecordingUrl && { browserRecordingUrl: `${one.browserRecordingUrl}/old` }),
    })),
  },
  {
    id: 'script-failures-are-empty',
    breaks: ['script-failures-omitted-when-none', 'response-matches-schema'],
    says: 'scriptFailures is an empty list when none occurred.',
    behaviour: showing((one) => ({ scriptFailures: [], ...one })),
  },
  {
    id: 'trigger-is-manual',
    breaks: ['trigger-is-api'],
    says: 'An execution that a key started says that somebody started it by hand.',
    behaviour: (base) => ({ triggerOf: (key) => ({ ...base.triggerOf(key), source: 'manual' }) }),
  },
  {
    id: 'trigger-keys-are-those-of-executions',
    breaks: ['trigger-is-api'],
    says: 'The apiKey that a trigger names has the id of the execution.',
    behaviour: showing((one, { trigger }) => ({
      ...one,
      ...(trigger && isOwn(one) && { triggerContext: { ...trigger, apiKey: { id: one.id, name: 'Full' } } }),
    })),
  },
  {
    id: 'runners-are-those-of-executions',
    breaks: ['trigger-is-api'],
    says: 'The runner that a trigger names has the id of the execution.',
    behaviour: showing((one, { trigger }) => ({
      ...one,
      ...(trigger && isOwn(one) && { triggerContext: { ...trigger, runner: { ...trigger.runner, userId: one.id } } }),
    })),
  },
  {
    id: 'trigger-lacks-the-key',
    breaks: ['trigger-names-its-key'],
    says: 'An execution that a key started does not say which.',
    behaviour: showing((one) => (isOwn(one) ? { ...one, triggerContext: { source: 'api' } } : one)),
  },
  {
    id: 'trigger-key-is-a-text',
    breaks: ['trigger-names-its-key', 'response-matches-schema'],
    says: 'The key that started an execution is told by its name alone.',
    behaviour: showing((one, { trigger }) => ({
      ...one,
      ...(trigger && isOwn(one) && { triggerContext: { ...trigger, apiKey: 'Full' } }),
    })),
  },
  {
    id: 'fresh-executions-say-rerun',
    breaks: ['fresh-execution-not-rerun'],
    says: 'hasBeenRerun is true of every execution.',
    behaviour: showing((one) => ({ ...one, hasBeenRerun: true })),
  },
  {
    id: 'fresh-executions-have-a-parent',
    breaks: ['fresh-execution-not-rerun'],
    says: 'Every execution has a parentExecutionId, its own if there is no other.',
    behaviour: showing((one) => ({ parentExecutionId: one.id, ...one })),
  },
  {
    id: 'organizations-are-those-of-executions',
    breaks: ['identity-is-constant'],
    says: 'An execution has its own id for that of its organization.',
    behaviour: showing((one) => ({ ...one, organizationId: one.id })),
  },
  {
    id: 'profiles-of-groups-change-at-the-end',
    breaks: ['identity-is-constant'],
    says: 'An execution that was given a group shows another profile when it has ended.',
    behaviour: showing((one, { pool }) =>
      pool && isTerminal(one.status) && one.agentProfileId ? { ...one, agentProfileId: one.workflowId } : one,
    ),
  },
  {
    id: 'files-of-another-agent',
    breaks: ['identity-is-constant'],
    says: 'A file names another agent than that of the execution.',
    behaviour: directories(eachFile((file) => ({ ...file, agentId: file.id }))),
  },
  {
    id: 'triggers-are-dropped',
    breaks: ['identity-is-constant'],
    says: 'An execution that has ended does not show its trigger any more.',
    behaviour: showing((one) => (ended(one) ? without(one, 'triggerContext') : one)),
  },
  {
    id: 'runners-change',
    breaks: ['identity-is-constant', 'trigger-is-api'],
    says: 'The runner of an execution is another one once it has ended.',
    behaviour: showing((one) =>
      ended(one) && one.triggerContext?.runner
        ? { ...one, triggerContext: { ...one.triggerContext, runner: { userId: elsewhere } } }
        : one,
    ),
  },
  {
    id: 'storage-keys-change',
    breaks: ['identity-is-constant'],
    says: 'The sharedStorageKey of an execution is another one once it has ended.',
    behaviour: showing((one) =>
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
  },
  {
    id: 'created-at-is-now',
    breaks: ['identity-is-constant'],
    says: 'createdAt is later with each reading after the end.',
    behaviour: everyTime((one, reading) => ({ ...one, createdAt: iso(Date.parse(one.createdAt) + reading) })),
  },
  {
    id: 'agents-change',
    breaks: ['identity-is-constant'],
    says: 'The agent of an execution is another one once it has ended.',
    behaviour: showing((one) => (ended(one) ? { ...one, agentId: elsewhere } : one)),
  },
  {
    id: 'organizations-change',
    breaks: ['identity-is-constant'],
    says: 'The organization of an execution is another one once it has ended.',
    behaviour: showing((one) => (ended(one) ? { ...one, organizationId: elsewhere } : one)),
  },
];
