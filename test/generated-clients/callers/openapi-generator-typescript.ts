// Does what certify asks of a caller, with the client that openapi-generator makes of its `typescript-fetch`.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AgentProfilePoolsApi,
  AgentProfilesApi,
  Configuration,
  type Execution,
  ExecutionsApi,
  FetchError,
  ResponseError,
} from './workflow/index.js';

const given = process.env as Record<string, string>;
const configuration = new Configuration({ basePath: given.BASE_URL, apiKey: given.WORKFLOW_API_KEY });
const executions = new ExecutionsApi(configuration);

const ends: readonly string[] = ['completed', 'failed', 'cancelled'];
/** What a gateway says of a start that may have taken effect. */
const lost = [502, 503, 504];

const statusOf = (error: unknown): number | undefined =>
  error instanceof ResponseError ? error.response.status : undefined;
/** The connection broke, or half of the answer came. */
const isLoss = (error: unknown): boolean =>
  error instanceof FetchError || error instanceof SyntaxError || error instanceof TypeError;

async function start(): Promise<{ executionId: string; status: string } | undefined> {
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
}

async function read(executionId: string): Promise<Execution | undefined> {
  try {
    return await executions.getExecution({ executionId });
  } catch (error) {
    if ([400, 401, 403, 404].includes(statusOf(error) ?? 0)) throw error;
    return undefined;
  }
}

async function follow(executionId: string): Promise<string> {
  for (;;) {
    const execution = await read(executionId);
    if (execution && ends.includes(execution.status)) return execution.status;
    await sleep(200);
  }
}

async function run(): Promise<string | undefined> {
  const started = await start();
  if (started) return ends.includes(started.status) ? started.status : follow(started.executionId);
  try {
    // It may have started: it is looked up before it is started again.
    return await follow(given.CERTIFY_EXECUTION_ID);
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    const again = await start();
    return again && follow(again.executionId);
  }
}

async function lookAfter(): Promise<string> {
  const profiles = new AgentProfilesApi(configuration);
  const profileId = given.PROFILE_ID;
  await profiles.updateProfile({ profileId, agentProfileUpdate: { description: 'Looked after.' } });
  const copy = await profiles.duplicateProfile({ profileId });
  await new AgentProfilePoolsApi(configuration).deletePool({ poolId: given.POOL_ID });
  return copy.name;
}

async function miss(): Promise<string> {
  try {
    return (await executions.getExecution({ executionId: given.CERTIFY_EXECUTION_ID })).status;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const body = await error.response.json();
    return `${body.code} ${body.message}`;
  }
}

if (given.CERTIFY_JOB === 'profile') console.log('copied', await lookAfter());
else if (given.CERTIFY_JOB === 'missing') console.log('refused', await miss());
else console.log('ended', await run());
