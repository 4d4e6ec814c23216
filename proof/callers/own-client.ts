import type { Assignment } from '../../certify/script.js';
import { createWorkflowClient, WorkflowError } from '../../client/index.js';

/** A caller with the client of this package, used as its guide says. */
export async function ownClient(given: Assignment): Promise<void> {
  const client = createWorkflowClient({ baseUrl: given.BASE_URL, apiKey: given.WORKFLOW_API_KEY });
  if (given.CERTIFY_JOB === 'profile') {
    await client.updateProfile(given.PROFILE_ID, { description: 'Looked after.' });
    await client.duplicateProfile(given.PROFILE_ID);
    await client.deletePool(given.POOL_ID);
    return;
  }
  const follow = (executionId: string) => client.waitFor(executionId, { intervalMs: 20, maxIntervalMs: 100 });
  const start = async () => {
    const request = JSON.parse(given.CERTIFY_REQUEST);
    if (given.CERTIFY_JOB === 'async') return (await client.execute(given.WORKFLOW_ID, request)).executionId;
    const answer = await client.executeSync(given.WORKFLOW_ID, request);
    return ['completed', 'failed', 'cancelled'].includes(answer.status) ? undefined : answer.executionId;
  };
  try {
    const executionId = await start();
    if (executionId !== undefined) await follow(executionId);
  } catch (error) {
    if (!WorkflowError.is(error) || error.kind !== 'may-have-started') throw error;
    try {
      await follow(given.CERTIFY_EXECUTION_ID);
    } catch (lookUp) {
      if (!WorkflowError.is(lookUp) || lookUp.kind !== 'not-found') throw lookUp;
      const executionId = await start();
      if (executionId !== undefined) await follow(executionId);
    }
  }
}
