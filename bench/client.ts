// The cost of a call through the client, compared with the same call by hand, to a reference service in another
// process. Measured in short alternating turns, so that a busy moment of the machine affects all alike.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import createClient from 'openapi-fetch';
import type * as Client from '../client/index.js';
import type { paths } from '../generated/types.js';
import { startReference } from '../reference/index.js';
import { type Aim, ratios, type Section, show, spread } from './measure.js';

const [rounds, turns, callsPerTurn] = [5, 50, 25];

interface Service {
  url: string;
  executionId: string;
  profileId: string;
  apiKey: string;
}

async function serve(tell: (service: Service) => void): Promise<void> {
  const { url, fixtures: target, keys } = await startReference();
  tell({ url, executionId: target.execution, profileId: target.profile, apiKey: keys.full });
}

export async function bench(): Promise<Section> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'] });
  try {
    const [service] = (await once(child, 'message')) as [Service];
    const rows: string[][] = [];
    const shares: number[] = [];
    for (const [operation, calls] of Object.entries(await callsTo(service))) {
      await inTurns(calls, turns / 2);
      const times: Times[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await inTurns(calls, turns));
      const of = (name: keyof Times) => times.map((time) => time[name]);
      const columns = (['client', 'bare', 'byHand', 'openapiFetch'] as const).map((name) => show(spread(of(name)), 0));
      const beside = (name: keyof Times) => ratios(of('client'), of(name));
      const [bare, byHand, openapiFetch] = [beside('bare'), beside('byHand'), beside('openapiFetch')];
      shares.push(openapiFetch.median);
      rows.push([operation, ...columns, ...[bare, byHand, openapiFetch].map((ratio) => show(ratio, 3))]);
    }
    return {
      title: 'The client beside fetch',
      how:
        `The reference service on loopback, in a process of its own; ${rounds} rounds of ${turns} turns of ` +
        `${callsPerTurn} calls, the ways to call in changing order. A round counts what a fifth of its turns stays ` +
        'under. Bare is fetch with the key and nothing else: it may hang for ever, and takes the key along on a redirect. ' +
        'By hand is the same with a deadline, without redirects, and with the status looked at, as the client does. ' +
        'openapi-fetch has the same deadline, by hand.',
      columns: [
        '',
        'client, µs',
        'bare fetch, µs',
        'by hand, µs',
        'openapi-fetch, µs',
        'client / bare',
        'client / by hand',
        'client / openapi-fetch',
      ],
      rows,
      aims: [aim('openapi-fetch with the same signal', shares, 1.1)],
    };
  } finally {
    child.kill();
  }
}

function aim(beside: string, shares: readonly number[], limit: number): Aim {
  const mean = shares.reduce((sum, share) => sum + share) / shares.length;
  return {
    says: `at most ${limit} times ${beside}, on average over the operations`,
    was: mean.toFixed(3),
    met: mean <= limit,
  };
}

async function callsTo({ url, executionId, profileId, apiKey }: Service) {
  const { createWorkflowClient } = await compiledClient();
  const client = createWorkflowClient({ baseUrl: url, apiKey });
  const plain = createClient<paths>({ baseUrl: url });
  const byKey = (name: 'X-Api-Key' | 'X-Service-Agents-Api-Key') => ({
    headers: { [name]: apiKey },
    redirect: 'error' as const,
    signal: AbortSignal.timeout(30_000),
  });
  const body = { description: 'For the benchmark.' };
  return {
    getExecution: {
      ...withoutClient(`${url}/agents/v2/executions/${executionId}`, { 'X-Service-Agents-Api-Key': apiKey }),
      client: () => client.getExecution(executionId),
      openapiFetch: () =>
        plain.GET('/agents/v2/executions/{executionId}', {
          ...byKey('X-Service-Agents-Api-Key'),
          params: { path: { executionId } },
        }),
    },
    listExecutionFiles: {
      ...withoutClient(`${url}/agents/v2/executions/${executionId}/files`, { 'X-Api-Key': apiKey }),
      client: () => client.listExecutionFiles(executionId),
      openapiFetch: () =>
        plain.GET('/agents/v2/executions/{executionId}/files', {
          ...byKey('X-Api-Key'),
          params: { path: { executionId } },
        }),
    },
    updateProfile: {
      ...withoutClient(
        `${url}/agents/v2/agent-profiles/${profileId}`,
        { 'X-Service-Agents-Api-Key': apiKey, 'Content-Type': 'application/json' },
        'PATCH',
        body,
      ),
      client: () => client.updateProfile(profileId, body),
      openapiFetch: () =>
        plain.PATCH('/agents/v2/agent-profiles/{profileId}', {
          ...byKey('X-Service-Agents-Api-Key'),
          params: { path: { profileId } },
          body,
        }),
    },
  };
}

function withoutClient(address: string, headers: Record<string, string>, method = 'GET', body?: object) {
  const request = () => ({ method, headers, ...(body && { body: JSON.stringify(body) }) });
  return {
    /** For comparison only: it has no timeout, and sends the key along on a redirect. */
    bare: async () => (await fetch(address, request())).json(),
    byHand: async () => {
      const signal = AbortSignal.timeout(30_000);
      const response = await fetch(address, { ...request(), redirect: 'error', signal });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return response.json();
    },
  };
}

/** The client as a consumer loads it: tsx, which runs this file, would slow down every closure. */
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

type Times = Record<'bare' | 'byHand' | 'openapiFetch' | 'client', number>;

/**
 * The time of a call in microseconds: the 20th percentile of many short turns in alternating order, because turns that
 * another process disturbs say nothing about the call.
 */
async function inTurns(calls: Record<keyof Times, () => Promise<unknown>>, turns: number): Promise<Times> {
  const names = Object.keys(calls) as (keyof Times)[];
  const times: Record<keyof Times, number[]> = { bare: [], byHand: [], openapiFetch: [], client: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    for (const name of turn % 2 ? names : names.toReversed()) {
      const start = performance.now();
      for (let call = 0; call < callsPerTurn; call += 1) await calls[name]();
      times[name].push(((performance.now() - start) / callsPerTurn) * 1000);
    }
  }
  const quiet = (name: keyof Times) => times[name].sort((a, b) => a - b)[Math.floor(turns / 5)] ?? Number.NaN;
  return {
    bare: quiet('bare'),
    byHand: quiet('byHand'),
    openapiFetch: quiet('openapiFetch'),
    client: quiet('client'),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve((service) => process.send?.(service));
