/** What the client makes of a contract that says other things of a request than this one. */
import { expect, test, vi } from 'vitest';
import type * as generated from '../../generated/sends.js';

vi.mock('../../generated/sends.js', async (original) => {
  const { sends } = await original<typeof generated>();
  const { getExecution, updateProfile } = sends;
  return {
    sends: {
      ...sends,
      getExecution: { ...getExecution, otherIds: { executionId: '^exec_' } },
      deletePool: { ...sends.deletePool, otherIds: { poolId: '^(?!\\.{0,2}$)' } },
      updateProfile: { ...updateProfile, mediaType: 'application/merge-patch+json' },
    },
  };
});

vi.resetModules();
const { createWorkflowClient } = await import('../../client/index.js');
const { samples } = await import('../../generated/samples.js');

const sent: { url: string; type: string | null }[] = [];
const client = createWorkflowClient({
  baseUrl: 'https://service.example',
  apiKey: 'key',
  fetch: async (url, init) => {
    sent.push({ url: String(url), type: new Headers(init?.headers).get('content-type') });
    return Response.json(String(url).includes('executions') ? samples.Execution.full : samples.AgentProfile.full);
  },
});

test('an id that is no UUID is sent where it matches', async () => {
  await client.getExecution('exec_1');
  await client.deletePool('a/b c');
  expect(sent.map(({ url }) => url.split('/v2/')[1])).toEqual(['executions/exec_1', 'agent-profile-pools/a%2Fb%20c']);
});

test.each([
  ['getExecution', '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813', 'executionId must match ^exec_'],
  // The case of a pattern counts.
  ['getExecution', 'EXEC_1', 'executionId must match ^exec_'],
  ['deletePool', '..', 'poolId must match ^(?!'],
  ['deletePool', '', 'poolId must match ^(?!'],
] as const)('%s of %j is refused, and nothing is sent', async (method, id, why) => {
  await expect(client[method](id)).rejects.toThrow(why);
});

test('a request goes as the media type that the contract has', async () => {
  sent.length = 0;
  await client.updateProfile('c3a7e1d9-4b58-4e26-9f17-0d8b6a2c5e94', { name: 'n' });
  expect(sent).toMatchObject([{ type: 'application/merge-patch+json' }]);
});
