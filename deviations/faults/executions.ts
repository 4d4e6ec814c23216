import { isTerminal } from '../../generated/lifecycle.js';
import type { Execution } from '../../generated/types.js';
import { iso } from '../../reference/clock.js';
import { executionIds } from '../../reference/fixtures.js';
import { showing, without } from '../change.js';
import type { Fault } from '../fault.js';

/** Executions that the service starts itself, unlike the ones that it has from the beginning. */
const isOwn = ({ id }: Execution) => id !== executionIds.seeded && id !== executionIds.rerun;

const earlier = ({ createdAt }: Execution): string => iso(Date.parse(createdAt) - 3_600_000);

/** How one reading shows an execution. */
export const executionFaults: readonly Fault[] = [
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
    id: 'ended-executions-are-gone',
    breaks: [
      'execution-is-readable-at-once',
      'sync-202-keeps-running',
      'accepted-execution-is-readable',
      'files-are-grouped',
    ],
    says: 'An execution that has ended cannot be read.',
    behaviour: (base) => ({
      findRun: (organization, id) => {
        const run = base.findRun(organization, id);
        return run && isTerminal(run.status) && id !== executionIds.seeded ? undefined : run;
      },
    }),
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
    id: 'only-old-urls-are-shown',
    breaks: ['live-view-is-shown', 'deprecated-urls-agree'],
    says: 'An execution has the deprecated URLs and not those that replace them.',
    behaviour: showing((one) => without(one, 'liveViewUrl', 'recordingUrl')),
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
    id: 'variants-share-their-storage',
    breaks: ['storage-key-is-a-slug'],
    says: 'Every variant has the same sharedStorageKey.',
    behaviour: (base) => ({ slug: (key) => base.slug(key) && 'variant' }),
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
  ...(['liveViewUrl', 'recordingUrl'] as const).map(
    (field): Fault => ({
      id: field === 'liveViewUrl' ? 'live-views-are-one' : 'recordings-are-one',
      breaks: ['urls-are-separate'],
      says: `Every execution has the same ${field}.`,
      behaviour: showing((one) => {
        const old = field === 'liveViewUrl' ? 'browserLiveViewUrl' : 'browserRecordingUrl';
        const url = 'https://views.example.com/newest';
        return one[field] ? { ...one, [field]: url, [old]: url } : one;
      }),
    }),
  ),
  {
    id: 'script-failures-occur-before-the-start',
    breaks: ['times-are-in-order'],
    says: 'A script failure is dated an hour before its execution was created.',
    behaviour: showing((one) =>
      one.scriptFailures
        ? { ...one, scriptFailures: one.scriptFailures.map((failure) => ({ ...failure, occurredAt: earlier(one) })) }
        : one,
    ),
  },
  {
    id: 'results-are-of-next-year',
    breaks: ['times-are-in-order'],
    says: 'A result is dated a year ahead, wherever it is shown.',
    behaviour: (base) => ({ resultOf: (run, id, now) => base.resultOf(run, id, now + 365 * 86_400_000) }),
  },
  {
    id: 'comments-are-edited-before-the-start',
    breaks: ['times-are-in-order'],
    says: 'A comment was edited an hour before its execution was created.',
    behaviour: showing((one) => ({
      ...one,
      comments: one.comments.map((comment) => ({ ...comment, updatedAt: earlier(one) })),
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
];
