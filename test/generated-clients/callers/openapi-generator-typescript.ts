// Does what certify asks of a caller, with the client that openapi-generator makes of its `typescript-fetch`.
import { given, lost, play } from './jobs.js';
import {
  AgentProfilePoolsApi,
  AgentProfilesApi,
  Configuration,
  ExecutionsApi,
  FetchError,
  ResponseError,
} from './workflow/index.js';

const configuration = new Configuration({ basePath: given.BASE_URL, apiKey: given.WORKFLOW_API_KEY });
const executions = new ExecutionsApi(configuration);

const statusOf = (error: unknown): number | undefined =>
  error instanceof ResponseError ? error.response.status : undefined;
/** The connection broke, or half of the answer came. */
const isLoss = (error: unknown): boolean =>
  error instanceof FetchError || error instanceof SyntaxError || error instanceof TypeError;

await play({
  async start() {
    const body = JSON.parse(given.CERTIFY_REQUEST);
    const workflowId = given.WORKFLOW_ID;
    try {
      return given.CERTIFY_JOB === 'async'
        ? await executions.execute({ workflowId, executeRequest: body })
        : await executions.executeSync({ workflowId, executeSyncRequest: body });
    } catch (error) {
      if (isLoss(error) || lost.includes(statusOf(error) ?? 0)) return undefined;
      throw error;
    }
  },
  async read(executionId) {
    try {
      return await executions.getExecution({ executionId });
    } catch (error) {
      if ([400, 401, 403, 404].includes(statusOf(error) ?? 0)) throw error;
      return undefined;
    }
  },
  isMissing: (error) => statusOf(error) === 404,
  async lookAfter() {
    const profiles = new AgentProfilesApi(configuration);
    const profileId = given.PROFILE_ID;
    await profiles.updateProfile({ profileId, agentProfileUpdate: { description: 'Looked after.' } });
    const copy = await profiles.duplicateProfile({ profileId });
    await new AgentProfilePoolsApi(configuration).deletePool({ poolId: given.POOL_ID });
    return copy.name;
  },
  async miss() {
    try {
      return (await executions.getExecution({ executionId: given.CERTIFY_EXECUTION_ID })).status;
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      const body = await error.response.json();
      return `${body.code} ${body.message}`;
    }
  },
});
