import type { ExecuteRequest, TempFileReference, TriggerContext } from '../../generated/types.js';
import type { Choices } from '../choices.js';
import { Refusal, refuseParameter } from '../errors.js';
import type { Start } from '../start.js';
import type { ApiKey, Organization, Pool, Profile, Workflow } from '../store.js';

/** The behaviour for starts: how requests are read, and which are refused. */
export function startBehaviour(choices: Choices) {
  const unknown = choices['unknown-workflow-status'];
  const variantKey = 'executionOptions.variantKey';

  return {
    /** Reads a request, under the current or the deprecated names. */
    readStart: (body: ExecuteRequest): Start => ({
      version: body.version,
      head: body.head ?? false,
      inputs: body.inputs ?? body.dynamicData,
      metadata: body.metadata,
      softTimeoutMins: body.executionOptions?.softTimeoutMins,
      variantKey: body.executionOptions?.variantKey,
      profileId: body.profileId ?? body.agentProfileId,
      poolId: body.profileGroupId ?? body.agentProfilePoolId,
      queue: body.onCapacityLimit === 'queue',
      tempFiles: body.tempFiles ?? [],
    }),

    /** The next four look up what a start names. */
    findWorkflow: (organization: Organization, id: string): Workflow | undefined =>
      organization.workflows.get(id.toLowerCase()),
    selectProfile: (organization: Organization, id: string): Profile | undefined =>
      organization.profiles.get(id.toLowerCase()),
    selectPool: (organization: Organization, id: string): Pool | undefined => organization.pools.get(id.toLowerCase()),
    findTempFile: (organization: Organization, { id }: TempFileReference): TempFileReference | undefined =>
      organization.tempFiles.get(id.toLowerCase()),

    workflowNotFound: (id: string): Refusal => new Refusal(unknown, `Workflow ${id} was not found.`),
    notFoundIn: (parameter: string, what: string): Refusal =>
      refuseParameter(unknown, parameter, `${what} was not found`),

    /** interface: Errors rule 3, for the deprecated names too. */
    checkSelection: ({ profileId, poolId }: Start): Refusal | undefined =>
      profileId !== undefined && poolId !== undefined
        ? refuseParameter(choices['exclusivity-status'], 'profileId', 'cannot be given with profileGroupId')
        : undefined,

    /** interface: Errors rule 5 and Execution options. */
    checkVariantKey: (workflow: Workflow, start: Start): Refusal | undefined => {
      const status = choices['variant-key-status'];
      if (workflow.variantMode && !start.variantKey)
        return refuseParameter(status, variantKey, 'is required by this workflow, which has variant_mode enabled');
      if (!workflow.variantMode && start.variantKey !== undefined)
        return refuseParameter(status, variantKey, 'needs a workflow with variant_mode enabled');
      return undefined;
    },

    /** interface: Limits. */
    checkSoftTimeout: (workflow: Workflow, { softTimeoutMins }: Start): Refusal | undefined => {
      const { hardTimeoutMins } = workflow.agent;
      return softTimeoutMins !== undefined && softTimeoutMins >= hardTimeoutMins
        ? refuseParameter(400, 'executionOptions.softTimeoutMins', `must be less than ${hardTimeoutMins}`)
        : undefined;
    },

    /** interface: Errors rule 4. Checked even if there is capacity. */
    checkQueueing: ({ queue, tempFiles }: Start): Refusal | undefined => {
      const status = choices['queue-with-temp-files'];
      return queue && tempFiles.length > 0 && status !== 'taken'
        ? refuseParameter(status, 'tempFiles', 'cannot be queued')
        : undefined;
    },

    /** A name that is safe as a path segment. */
    slug: (key: string): string => {
      const separator = choices['variant-key-slug'] === 'underscores' ? '_' : '-';
      const words = key
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .match(/[a-z0-9]+/g) ?? ['variant'];
      return words.join(separator).slice(0, 64);
    },

    triggerOf: ({ trigger }: ApiKey): TriggerContext => trigger,

    /** Selects a profile of a group: the first that is not in use. */
    freeProfile: (pool: Pool, inUse: (profileId: string) => boolean): string | undefined =>
      pool.profileIds.find((id) => !inUse(id)),

    /** Decides what happens to a start. interface: States and transitions, Errors rules 2 and 4. */
    admit: (hasCapacity: boolean, { queue, tempFiles }: Start): 'start' | 'queue' | 'reject' => {
      if (hasCapacity) return 'start';
      return queue && tempFiles.length === 0 ? 'queue' : 'reject';
    },

    /** interface: Errors rule 2, and rule 4 where there is no capacity. */
    overCapacity: ({ queue, tempFiles }: Start, pool: Pool | undefined): Refusal =>
      queue && tempFiles.length > 0
        ? refuseParameter(400, 'tempFiles', 'cannot be queued, and there is no capacity')
        : new Refusal(
            choices['over-capacity-status'],
            pool
              ? `The organization is at its limit, or every profile of the group ${pool.id} is in use.`
              : 'The organization is at its limit.',
          ),
  };
}
