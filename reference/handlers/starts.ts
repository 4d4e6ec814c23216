import type { Handlers } from '../../generated/handlers.js';
import type { ExecuteRequest } from '../../generated/types.js';
import { found, refuseOn } from '../errors.js';
import type { Service } from '../service.js';
import type { Run } from '../store.js';
import type { Context } from './context.js';

/** The operations that start an execution. */
export function startHandlers(service: Service) {
  const { behaviour, clock, newId, lifecycle, capacity } = service;

  function start(workflowId: string, body: ExecuteRequest, { organization, key, call }: Context) {
    const start = behaviour.readStart(body);
    const { version, profileId, poolId, tempFiles, variantKey } = start;
    const missing = (parameter: string, what: string) => () => behaviour.notFoundIn(parameter, what);

    const workflow = found(behaviour.findWorkflow(organization, workflowId), () =>
      behaviour.workflowNotFound(workflowId),
    );
    refuseOn(behaviour.checkSelection(start));
    if (version !== undefined && !workflow.versions.includes(version))
      throw behaviour.notFoundIn('version', `${version}`);
    refuseOn(behaviour.checkVariantKey(workflow, start));
    refuseOn(behaviour.checkSoftTimeout(workflow, start));
    const profile =
      profileId === undefined
        ? undefined
        : found(behaviour.selectProfile(organization, profileId), missing('profileId', profileId));
    const pool =
      poolId === undefined
        ? undefined
        : found(behaviour.selectPool(organization, poolId), missing('profileGroupId', poolId));
    for (const file of tempFiles) found(behaviour.findTempFile(organization, file), missing('tempFiles', file.id));
    refuseOn(behaviour.checkQueueing(start));

    const admission = capacity.admit(organization, start, pool);
    if (admission.to === 'reject') throw behaviour.overCapacity(start, pool);
    const run: Run = {
      id: newId(),
      organization,
      workflow,
      start,
      pool,
      sharedStorageKey: variantKey === undefined ? undefined : behaviour.slug(variantKey),
      trigger: behaviour.triggerOf(key),
      createdAt: clock.now(),
      weight: call.size ?? 0,
      status: admission.to === 'queue' ? 'queued' : 'starting',
      profile: profile && { id: profile.id, name: profile.name },
      files: [],
      hasBeenRerun: false,
      comments: [],
      humanLabels: [],
    };
    organization.runs.set(run.id, run);
    if (admission.to === 'queue') organization.queue.push(run);
    else service.begin(run, admission.profileId);
    return { run, initialStatus: behaviour.initialStatus(admission.to) };
  }

  return {
    async execute({ workflowId, body }, context) {
      const { run, initialStatus } = start(workflowId, body, context);
      const waitMs = behaviour.asyncWaitMs();
      if (waitMs > 0) await lifecycle.wait(run, waitMs, behaviour.endsWait);
      return { status: 202, body: behaviour.presentStarted(run, initialStatus) };
    },

    async executeSync({ workflowId, body }, context) {
      const { run } = start(workflowId, body, context);
      await lifecycle.wait(run, behaviour.syncWaitMs(body), behaviour.endsWait);
      return behaviour.presentSync(run);
    },
  } satisfies Partial<Handlers<Context>>;
}
