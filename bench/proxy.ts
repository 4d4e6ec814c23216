// The latency that a proxy adds, and its throughput on one core: this proxy, which judges, compared with Prism's, which
// validates by schemas. Each part runs in its own process.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFront } from '../conformance/engine/proxy/front.js';
import '../conformance/suite/contract.js';
import { Live } from '../conformance/engine/proxy/live.js';
import { unknownTarget } from '../conformance/suite/target/target.js';
import { ratios, root, type Scale, type Section, show, spread } from './measure.js';

const execution = '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';
const answer = JSON.stringify({
  id: execution,
  agentId: '00000000-0000-4000-8000-00000000000a',
  agentName: 'Agent',
  organizationId: '00000000-0000-4000-8000-000000000001',
  workflowId: '00000000-0000-4000-8000-000000000002',
  status: 'running',
  createdAt: '2026-03-02T12:00:00.100Z',
  hasBeenRerun: false,
  comments: [],
  humanLabels: [],
  inputs: { month: '2026-02', note: 'x'.repeat(500) },
});

const parts: Readonly<Record<string, (upstream: string) => Promise<string>>> = {
  async service() {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
      response.end(answer);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  async proxy(upstream) {
    const live = new Live({ facts: unknownTarget, onViolation: () => {} });
    const front = await startFront({ upstream, passed: (one) => live.take(one) });
    process.on('message', () => process.send?.({ rssMb: process.memoryUsage().rss / 2 ** 20, cpuMs: cpuMs() }));
    return front.url;
  },
};

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

interface Sent {
  readonly latencies: number[];
  readonly perSecond: number;
}

interface State {
  readonly rssMb: number;
  readonly cpuMs: number;
}

async function asked(proxy: ChildProcess): Promise<State> {
  proxy.send('how is it?');
  const [state] = (await once(proxy, 'message')) as [State];
  return state;
}

/** For a proxy, each request means two: one to answer and one to send. */
const share = 0.33;

/** Sends this many requests over this many persistent connections. */
async function send(url: string, count: number, connections: number): Promise<Sent> {
  const latencies: number[] = [];
  let left = count;
  const begun = performance.now();
  const headers = { 'X-Service-Agents-Api-Key': 'a-key-of-a-benchmark' };
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (left > 0) {
        left -= 1;
        const at = performance.now();
        await new Promise<void>((resolve, reject) => {
          const sent = request(`${url}/agents/v2/executions/${execution}`, { agent, headers }, (message) => {
            if (message.statusCode !== 200) reject(new Error(`The answer was ${message.statusCode}.`));
            message.resume();
            message.on('end', resolve);
          });
          sent.on('error', reject);
          sent.end();
        });
        latencies.push(performance.now() - at);
      }
      agent.destroy();
    }),
  );
  return { latencies, perSecond: (count / (performance.now() - begun)) * 1000 };
}

export async function bench({ quick }: Scale): Promise<Section> {
  const [warmUp, alone, many, rounds] = quick ? [10, 20, 50, 1] : [500, 1000, 10_000, 3];
  const children: ChildProcess[] = [];
  const start = async (part: string, upstream = '') => {
    const child = fork(fileURLToPath(import.meta.url), [part, upstream], { execArgv: ['--import', 'tsx'] });
    children.push(child);
    const [{ url }] = (await once(child, 'message')) as [{ url: string }];
    return { child, url };
  };
  try {
    const { url: service } = await start('service');
    const { child: proxy, url: judging } = await start('proxy', service);
    const prism = startPrism(service);
    children.push(prism.child);
    const targets = { 'the service itself': service, 'this proxy, judging': judging, "Prism's proxy": await prism.url };
    const found = new Map<string, { latency: number[]; perSecond: number[] }>();
    for (const url of Object.values(targets)) await send(url, warmUp, 4);
    const memory: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, url] of Object.entries(targets)) {
        const known = found.get(name) ?? { latency: [], perSecond: [] };
        found.set(name, known);
        known.latency.push(spread((await send(url, alone, 1)).latencies).median);
        // Prism takes about ten times as long, so it gets fewer requests.
        known.perSecond.push((await send(url, name.startsWith('Prism') ? many / 10 : many, 20)).perSecond);
      }
      memory.push((await asked(proxy)).rssMb);
    }
    const left = await asked(proxy);
    const each = (left.cpuMs * 1000) / (warmUp + rounds * (alone + many));
    const of = (name: string) => found.get(name) ?? { latency: [], perSecond: [] };
    const added = spread(of('this proxy, judging').latency).median - spread(of('the service itself').latency).median;
    const ofService = ratios(of('this proxy, judging').perSecond, of('the service itself').perSecond);
    const ofPrism = ratios(of('this proxy, judging').perSecond, of("Prism's proxy").perSecond);
    const rate = spread(of('this proxy, judging').perSecond).median;
    const rows = [...found].map(([name, { latency, perSecond }]) => [
      name,
      show(spread(latency.map((ms) => ms * 1000)), 0),
      show(spread(perSecond), 0),
    ]);
    return {
      title: 'Passing traffic on',
      how:
        `Readings of an execution of ${answer.length} bytes, over loopback: ${alone} one after the other on one connection (the median of ` +
        `each round), then ${many} over 20 connections. Service, proxy and callers are processes of their own and share the ` +
        'cores of the machine; the proxy judges each exchange once it has passed.',
      columns: ['through', 'median, µs', 'requests a second'],
      rows,
      aims: [
        { says: 'under 1 ms added at the median', was: `${added.toFixed(2)} ms`, met: added < 1 },
        { says: 'at least 5,000 requests a second', was: rate.toFixed(0), met: rate >= 5000 },
        {
          says: `at least ${share} of what the service itself answers in a second`,
          was: `${ofService.median.toFixed(2)}, and ${ofPrism.median.toFixed(0)} times what Prism's proxy passes`,
          met: ofService.median >= share,
        },
      ],
      notes: [
        `Memory of the proxy after each round: ${memory.map((mb) => mb.toFixed(0)).join(', ')} MB.`,
        `Processor time of the proxy, its start and judging included: ${each.toFixed(0)} µs a request.`,
      ],
    };
  } finally {
    for (const child of children) child.kill();
  }
}

function startPrism(upstream: string): { child: ChildProcess; url: Promise<string> } {
  const bin = join(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json'), '../dist/index.js');
  const child = spawn(
    process.execPath,
    [bin, 'proxy', join(root, 'generated/openapi.json'), upstream, '--port', '0', '--verboseLevel', 'info'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const url = new Promise<string>((resolve, reject) => {
    let text = '';
    const read = (piece: Buffer) => {
      text += piece;
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text.replaceAll(upstream, '')) ?? [];
      if (/listening/.test(text) && found) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`Prism ended with ${code}: ${text}`)));
  });
  return { child, url };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [part = '', upstream = ''] = process.argv.slice(2);
  process.send?.({ url: await parts[part]?.(upstream) });
}
