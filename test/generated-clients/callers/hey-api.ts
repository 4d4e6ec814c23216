// Does what certify asks of a caller, with the client that hey-api makes.
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from './workflow/client.gen.js';
import type { Execution } from './workflow/index.js';
import * as workflow from './workflow/index.js';

const given = process.env as Record<string, string>;
client.setConfig({ baseUrl: given.BASE_URL, auth: given.WORKFLOW_API_KEY });

const ends: readonly string[] = ['completed', 'failed', 'cancelled'];
/** What a gateway says of a start that may have taken effect. */
const lost = [502, 503, 504];

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

async function start(): Promise<{ executionId: string; status: string } | undefined> {
  const options = { path: { workflowId: given.WORKFLOW_ID }, body: JSON.parse(given.CERTIFY_REQUEST) };
  return given.CERTIFY_JOB === 'async'
    ? answered(workflow.execute(options), lost)
    : answered(workflow.executeSync(options), lost);
}

const read = (executionId: string): Promise<Execution | undefined> =>
  answered(workflow.getExecution({ path: { executionId } }), [408, 429, 500, 502, 503, 504]);

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
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    const again = await start();
    return again && follow(again.executionId);
  }
}

async function lookAfter(): Promise<string | undefined> {
  const path = { profileId: given.PROFILE_ID };
  await answered(workflow.updateProfile({ path, body: { description: 'Looked after.' } }), []);
  const copy = await answered(workflow.duplicateProfile({ path }), []);
  await answered(workflow.deletePool({ path: { poolId: given.POOL_ID } }), []);
  return copy?.name;
}

async function miss(): Promise<string> {
  const { error } = await workflow.getExecution({ path: { executionId: given.CERTIFY_EXECUTION_ID } });
  return `${error?.code} ${error?.message}`;
}

if (given.CERTIFY_JOB === 'profile') console.log('copied', await lookAfter());
else if (given.CERTIFY_JOB === 'missing') console.log('refused', await miss());
else console.log('ended', await run());
