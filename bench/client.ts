// What a call through the client costs beside the same call by hand, over the reference service on loopback, which runs
// in a process of its own. Measured in short turns, so that a busy moment of the machine strikes all alike.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type * as Client from '../client/index.js';
import { startReference } from '../reference/index.js';

const turns = 200;
const callsPerTurn = 25;
const limit = 1.1;

interface Service {
  url: string;
  executionId: string;
  profileId: string;
  apiKey: string;
}

if (process.send) await serve(process.send.bind(process));
else await measure();

async function serve(tell: (service: Service) => void): Promise<void> {
  const { url, target, keys } = await startReference();
  tell({ url, executionId: target.execution, profileId: target.profile, apiKey: keys.full });
}

async function measure(): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url));
  try {
    const [service] = (await once(child, 'message')) as [Service];
    const ratios: number[] = [];
    for (const [operation, calls] of Object.entries(await callsTo(service))) {
      const times = await inTurns(calls);
      ratios.push(times.client / times.byHand);
      const columns = Object.entries(times).map(([name, time]) => `${name} ${time.toFixed(0)} µs`);
      console.log(`${operation.padEnd(20)} ${columns.join('   ')}   client / byHand ${ratios.at(-1)?.toFixed(3)}`);
    }
    const mean = ratios.reduce((sum, ratio) => sum + ratio) / ratios.length;
    console.log(`client / byHand ${mean.toFixed(3)} on average (at most ${limit})`);
    if (mean > limit) process.exitCode = 1;
  } finally {
    child.kill();
  }
}

async function callsTo({ url, executionId, profileId, apiKey }: Service) {
  const { createWorkflowClient } = await compiledClient();
  const client = createWorkflowClient({ baseUrl: url, apiKey });
  const body = { description: 'For the benchmark.' };
  return {
    getExecution: {
      ...withoutClient(`${url}/agents/v2/executions/${executionId}`, { 'X-Service-Agents-Api-Key': apiKey }),
      client: () => client.getExecution(executionId),
    },
    listExecutionFiles: {
      ...withoutClient(`${url}/agents/v2/executions/${executionId}/files`, { 'X-Api-Key': apiKey }),
      client: () => client.listExecutionFiles(executionId),
    },
    updateProfile: {
      ...withoutClient(
        `${url}/agents/v2/agent-profiles/${profileId}`,
        { 'X-Service-Agents-Api-Key': apiKey, 'Content-Type': 'application/json' },
        'PATCH',
        body,
      ),
      client: () => client.updateProfile(profileId, body),
    },
  };
}

function withoutClient(address: string, headers: Record<string, string>, method = 'GET', body?: object) {
  const request = () => ({ method, headers, ...(body && { body: JSON.stringify(body) }) });
  return {
    /** What no caller should do: it may hang for ever, and takes the key along on a redirect. */
    bare: async () => (await fetch(address, request())).json(),
    byHand: async () => {
      const signal = AbortSignal.timeout(30_000);
      const response = await fetch(address, { ...request(), redirect: 'error', signal });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return response.json();
    },
  };
}

/** As a consumer loads it: the loader that runs this file adds costs of its own to every closure. */
async function compiledClient(): Promise<typeof Client> {
  const entry = fileURLToPath(new URL('../client/index.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    external: ['*/validators.js'],
    format: 'esm',
    write: false,
  });
  const [code] = outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(code?.contents ?? '').toString('base64')}`);
}

/**
 * The time of a call in microseconds, over many short turns in changing order: what a fifth of the turns stays under,
 * since a turn that another process disturbs says nothing about the call.
 */
async function inTurns<K extends string>(calls: Record<K, () => Promise<unknown>>): Promise<Record<K, number>> {
  const names = Object.keys(calls) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let turn = -turns / 10; turn < turns; turn += 1) {
    for (const name of turn % 2 ? names : [...names].reverse()) {
      const start = performance.now();
      for (let call = 0; call < callsPerTurn; call += 1) await calls[name]();
      if (turn >= 0) times[name].push(((performance.now() - start) / callsPerTurn) * 1000);
    }
  }
  const quiet = (name: K) => times[name].sort((a, b) => a - b)[turns / 5] ?? Number.NaN;
  return Object.fromEntries(names.map((name) => [name, quiet(name)])) as Record<K, number>;
}
