import { setTimeout as sleep } from 'node:timers/promises';
import type { Assignment } from '../../certify/script.js';

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
