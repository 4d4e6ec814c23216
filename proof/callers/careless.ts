import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { Assignment } from '../../certify/script.js';
import type { paths } from '../../generated/types.js';

/** A caller written in five minutes: one header, every error is retried, any state but "running" is an end. */
export async function naiveLoop(given: Assignment): Promise<void> {
  const headers = { 'X-Api-Key': given.WORKFLOW_API_KEY, 'Content-Type': 'application/json' };
  const call = async (path: string, init: RequestInit = {}) => {
    for (let attempt = 1; ; attempt += 1)
      try {
        const response = await fetch(`${given.BASE_URL}/agents/v2${path}`, { ...init, headers });
        if (response.status >= 500 && attempt < 3) continue;
        return (await response.json()) as { executionId?: string; status?: string };
      } catch (error) {
        if (attempt === 3) throw error;
      }
  };
  if (given.CERTIFY_JOB === 'profile') {
    await call(`/agent-profiles/${given.PROFILE_ID}`, { method: 'PATCH', body: JSON.stringify({ name: 'Mine' }) });
    await call(`/agent-profiles/${given.PROFILE_ID}/duplicate`, { method: 'POST', body: '{}' });
    await fetch(`${given.BASE_URL}/agents/v2/agent-profile-pools/${given.POOL_ID}`, { method: 'DELETE', headers });
    return;
  }
  const sync = given.CERTIFY_JOB === 'sync' ? '/sync' : '';
  const started = await call(`/workflows/${given.WORKFLOW_ID}/execute${sync}`, {
    method: 'POST',
    body: given.CERTIFY_REQUEST,
  });
  let status = started.status;
  while (status === 'starting' || status === 'running') {
    await sleep(25);
    ({ status } = await call(`/executions/${started.executionId}`));
  }
}

/** A caller with a generated client, used as it is: it sends one key in one header. */
export async function generatedClient(given: Assignment): Promise<void> {
  const client = createClient<paths>({ baseUrl: given.BASE_URL });
  const headers = { 'X-Api-Key': given.WORKFLOW_API_KEY };
  const executionId = async () => {
    const init = {
      params: { path: { workflowId: given.WORKFLOW_ID } },
      headers,
      body: JSON.parse(given.CERTIFY_REQUEST),
    };
    const { data } =
      given.CERTIFY_JOB === 'sync'
        ? await client.POST('/agents/v2/workflows/{workflowId}/execute/sync', init)
        : await client.POST('/agents/v2/workflows/{workflowId}/execute', init);
    return data?.executionId;
  };
  if (given.CERTIFY_JOB === 'profile') {
    const path = { profileId: given.PROFILE_ID };
    await client.PATCH('/agents/v2/agent-profiles/{profileId}', { params: { path }, body: { description: 'Mine' } });
    await client.POST('/agents/v2/agent-profiles/{profileId}/duplicate', { params: { path }, body: {} });
    await client.DELETE('/agents/v2/agent-profile-pools/{poolId}', { params: { path: { poolId: given.POOL_ID } } });
    return;
  }
  const id = await executionId();
  if (id === undefined) return;
  for (let status: string | undefined = 'running'; status === 'running' || status === 'starting'; await sleep(25)) {
    const { data } = await client.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId: id } } });
    status = data?.status;
  }
}
