/** Callers that keep the rules, among them the programs of the guides as they stand there. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { Caller } from '../../certify/play.js';
import type { Assignment } from '../../certify/script.js';
import { createWorkflowClient, isTerminal, type WorkflowClient, WorkflowError } from '../../client/index.js';
import { callerWith } from './habits.js';
import type { CallerUnderTest } from './matrix.js';

const fast = { intervalMs: 20, maxIntervalMs: 100 };

/** An app on the client of this package that has one job, whatever CERTIFY_JOB and CERTIFY_REQUEST are. */
const app =
  (work: (client: WorkflowClient, given: Assignment) => Promise<unknown>): Caller =>
  (given) =>
    work(createWorkflowClient({ baseUrl: given.BASE_URL, apiKey: given.WORKFLOW_API_KEY }), given);

const inputs = { supplier: 'Nordwind' };

/** By their ids; and what certify ends with, if not with 0. */
const good: Readonly<Record<string, Caller | readonly [call: Caller, exit: 3]>> = {
  'own-client': app(byTheGuide),
  'without-a-library': callerWith(),
  'readme-app': programOf('README.md', 'console.log(execution.status'),
  'guide-app': programOf('docs/client.md', 'console.log(execution.status'),
  'guide-program': programOf('docs/callers.md', 'CERTIFY_JOB'),
  'app-on-run': app((client, given) => client.run(given.WORKFLOW_ID, JSON.parse(given.CERTIFY_REQUEST), fast)),
  'app-on-run-all': app(async (client, { WORKFLOW_ID: workflowId }) => {
    for await (const _ of client.runAll([{ workflowId }], { ...fast, retryStart: true }));
  }),
  'app-with-files': app(async (client, given) => {
    const { executionId } = await client.execute(given.WORKFLOW_ID, { inputs });
    for await (const _ of client.watch(executionId, fast));
    for await (const _ of client.downloadFiles(executionId, { settleMs: 50 }));
  }),
  // executeSync, and then client.waitFor. After a gateway timeout it ends, for a person to look the execution up.
  'app-on-sync': [
    app(async (client, given) => {
      const started = await client.executeSync(given.WORKFLOW_ID, { inputs });
      if (!isTerminal(started)) await client.waitFor(started.executionId, fast);
    }),
    3,
  ],
};

export const goodCallers: readonly CallerUnderTest[] = Object.entries(good).map(([id, one]) => {
  const [call, exit] = typeof one === 'function' ? ([one, 0] as const) : one;
  return { id, breaks: [], exit, call };
});

async function byTheGuide(client: WorkflowClient, given: Assignment): Promise<void> {
  if (given.CERTIFY_JOB === 'profile') {
    await client.updateProfile(given.PROFILE_ID, { description: 'Looked after.' });
    await client.duplicateProfile(given.PROFILE_ID);
    await client.deletePool(given.POOL_ID);
    return;
  }
  const follow = (executionId: string) => client.waitFor(executionId, fast);
  const start = async () => {
    const request = JSON.parse(given.CERTIFY_REQUEST);
    if (given.CERTIFY_JOB === 'async') return (await client.execute(given.WORKFLOW_ID, request)).executionId;
    const answer = await client.executeSync(given.WORKFLOW_ID, request);
    return isTerminal(answer) ? undefined : answer.executionId;
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

/** The first program of a guide that has this text, as a process of its own. Its address and its workflow are given. */
function programOf(guide: string, text: string): Caller {
  let file: string | undefined;
  const root = new URL('../../', import.meta.url);
  return (given, signal) => {
    if (file === undefined) {
      const blocks = readFileSync(new URL(guide, root), 'utf8').matchAll(/^```[jt]s\n(.*?)^```/gms);
      const [code] = [...blocks].flatMap(([, code = '']) => (code.includes(text) ? code : []));
      if (code === undefined) throw new Error(`${guide} has no program with ${text}.`);
      file = join(mkdtempSync(join(tmpdir(), 'caller-')), 'program.mjs');
      buildSync({
        stdin: {
          contents: code
            .replace("'https://workflows.example.com'", 'process.env.BASE_URL')
            .replace('(workflowId,', '(process.env.WORKFLOW_ID!,'),
          loader: 'ts',
        },
        alias: { 'workflow-execution-contract': fileURLToPath(new URL('client/index.ts', root)) },
        external: ['*/validators.js'],
        ...{ bundle: true, format: 'esm', platform: 'node', outfile: file },
      });
    }
    const env = { ...process.env, ...given, WORKFLOW_URL: given.BASE_URL };
    const child = spawn(process.execPath, [file], { env, signal, stdio: 'ignore' });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => (code === 0 ? resolve(undefined) : reject(new Error(`it ended with ${code}.`))));
    });
  };
}
