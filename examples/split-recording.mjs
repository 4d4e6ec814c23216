// Splits the lines of standard input into a number of files, parts/0.ndjson and so on: all exchanges of one execution or
// profile go into one file. node split-recording.mjs 8 < exchanges.ndjson
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';

const length = Number(process.argv[2]);
if (!Number.isInteger(length) || length < 1) {
  console.error('Give the number of parts: node split-recording.mjs 8 < exchanges.ndjson');
  process.exit(2);
}
mkdirSync('parts', { recursive: true });
const parts = Array.from({ length }, (_, part) => createWriteStream(`parts/${part}.ndjson`));
for await (const line of createInterface({ input: process.stdin })) {
  const { request, response } = JSON.parse(line);
  // The id of the execution or profile is in the path, and for a start in its answer.
  const isStart = /\/agents\/v2\/workflows\/[^/?#]+\/execute/.test(request.url);
  const [, id = '0'] =
    (isStart
      ? /executionId[\\":\s]+([\w-]+)/.exec(JSON.stringify(response))
      : /\/agents\/v2\/(?:executions|agent-profiles)\/([^/?#]+)/.exec(request.url)) ?? [];
  const part = parts[Number.parseInt(id.slice(-4), 16) % parts.length] ?? parts[0];
  part.write(`${line}\n`) || (await once(part, 'drain'));
}
