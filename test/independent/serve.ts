/**
 * Serves the independent service over HTTP, on real time.
 *
 *     npx tsx test/independent/serve.ts b             # in the way b
 *     npx tsx test/independent/serve.ts a start-200   # with a fault
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify } from 'yaml';
import { everyFault } from './outcome.js';
import { createIndependent } from './service.js';
import { type WayId, ways } from './ways.js';

const [way = 'a', id, file = 'independent.yaml'] = process.argv.slice(2);
const fault = everyFault.find((one) => one.fault.id === id)?.fault;
if (!(way in ways) || (id && !fault)) throw new Error(`Give a way (${Object.keys(ways)}) and, if wanted, a fault.`);
const service = createIndependent({
  clock: {
    now: () => Date.now(),
    setTimeout: (fire, ms) => setTimeout(fire, ms),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  },
  way: way as WayId,
  fault,
  latencyMs: 0,
});

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
  const method = request.method ?? 'GET';
  const answer = await service.fetch(
    new Request(`http://independent.test${request.url}`, { method, headers, ...(body && { body }) }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
});
server.listen(0, '127.0.0.1', () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(file, stringify({ ...service.target, baseUrl }));
  console.log(`${baseUrl}, target file ${file}`);
});
