// Does what certify asks of a caller, with the client that hey-api makes.
import { given, lost, play } from './jobs.js';
import { client } from './workflow/client.gen.js';
import * as workflow from './workflow/index.js';

client.setConfig({ baseUrl: given.BASE_URL, auth: given.WORKFLOW_API_KEY });

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: { code?: unknown; message?: unknown },
  ) {
    super(`${body.code} ${body.message}`);
  }
}

/** What was answered; undefined where nobody knows. Throws what the service itself refuses. */
async function answered<T>(
  asked: Promise<{ data?: T; error?: unknown; response?: Response }>,
  unknown: readonly number[],
) {
  try {
    const { data, error, response } = await asked;
    if (!response) return undefined;
    if (response.ok) return data;
    if (unknown.includes(response.status)) return undefined;
    throw new Refused(response.status, error as Refused['body']);
  } catch (error) {
    if (error instanceof Refused) throw error;
    return undefined;
  }
}

await play({
  start() {
    const options = { path: { workflowId: given.WORKFLOW_ID }, body: JSON.parse(given.CERTIFY_REQUEST) };
    return given.CERTIFY_JOB === 'async'
      ? answered(workflow.execute(options), lost)
      : answered(workflow.executeSync(options), lost);
  },
  read: (executionId) => answered(workflow.getExecution({ path: { executionId } }), [408, 429, 500, 502, 503, 504]),
  isMissing: (error) => error instanceof Refused && error.status === 404,
  async lookAfter() {
    const path = { profileId: given.PROFILE_ID };
    await answered(workflow.updateProfile({ path, body: { description: 'Looked after.' } }), []);
    const copy = await answered(workflow.duplicateProfile({ path }), []);
    await answered(workflow.deletePool({ path: { poolId: given.POOL_ID } }), []);
    return copy?.name;
  },
  async miss() {
    const { error } = await workflow.getExecution({ path: { executionId: given.CERTIFY_EXECUTION_ID } });
    return `${error?.code} ${error?.message}`;
  },
});
