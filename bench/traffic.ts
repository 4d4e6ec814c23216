// Recordings for benchmarks: HAR files like those of a browser, with executions of the reference service that are
// polled to their end, several at a time.
import { constants } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeReport } from '../conformance/engine/report/index.js';
import { assemble } from '../conformance/engine/report/json.js';
import { unknownTarget } from '../conformance/suite/target/target.js';
import { checkInProcess } from '../proof/in-process.js';

const sideBySide = 20;

/** An execution of the reference service: its id, and its exchanges as entries of a HAR file. */
export interface Template {
  readonly id: string;
  readonly entries: readonly string[];
}

/** The executions of a run of the suite, with their exchanges. */
export async function executions(): Promise<Template[]> {
  const run = await checkInProcess({});
  const conclusion = { verdict: 'conformant', exitCode: 0, reason: '', rules: run.rules, remarks: [] } as const;
  const all = JSON.parse(writeReport('har', assemble(run, conclusion, unknownTarget)));
  const entries: Entry[] = all.log.entries;
  return run.evidence.traces.flatMap(({ executionId, start, readings, listings }) => {
    if (!start || readings.length < 3) return [];
    const places = [start, ...readings, ...listings].map(({ id }) => id - 1);
    return [{ id: executionId, entries: places.map((place) => JSON.stringify(asBrowser(entries[place]))) }];
  });
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

const pairs = (headers: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const browserHeaders = pairs({
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-US,en;q=0.9',
  Connection: 'keep-alive',
  Host: 'workflows.example.com',
  Origin: 'https://app.example.com',
  Referer: 'https://app.example.com/runs',
  'Sec-Fetch-Dest': 'empty',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Site': 'same-site',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'sec-ch-ua': '"Not:A-Brand";v="8", "Chromium";v="140"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
});
const serverHeaders = pairs({
  Connection: 'keep-alive',
  Date: 'Fri, 20 Nov 2026 12:15:27 GMT',
  'Keep-Alive': 'timeout=5',
  'access-control-allow-origin': '*',
  'x-request-id': randomUUID(),
});

interface Entry {
  readonly request: { readonly headers: readonly Pair[] };
  readonly response: { readonly headers: readonly Pair[] };
}

function asBrowser(entry: Entry | undefined) {
  const { request, response } = entry ?? { request: { headers: [] }, response: { headers: [] } };
  const own = request.headers.map(({ name, value }) => ({
    name,
    value: /key$/i.test(name) ? 'a-key-of-a-caller' : value,
  }));
  return {
    ...entry,
    startedDateTime: '@time',
    request: { ...request, headers: [...browserHeaders, ...own] },
    response: { ...response, headers: [...serverHeaders, ...response.headers], _transferSize: 967 },
    pageref: 'page@041225dd7759542149236af9f9502a02',
    _frameref: 'frame@c5163d88240c3ee68955b2e1112f4827',
    _resourceType: 'fetch',
    serverIPAddress: '192.0.2.1',
  };
}

/**
 * Writes at most this many exchanges, with those of several executions interleaved, and returns their number: a file
 * ends before it is too long for `JSON.parse`, which reads it as one string.
 */
export async function write(
  file: string,
  count: number,
  templates: readonly Template[],
  maxLength = constants.MAX_STRING_LENGTH / 2,
): Promise<number> {
  const out = createWriteStream(file);
  out.write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[');
  let written = 0;
  const isFull = () => written === count || out.bytesWritten + out.writableLength > maxLength;
  for (let next = 0; !isFull(); next += sideBySide) {
    const group = Array.from({ length: sideBySide }, (_, index) => {
      const { id, entries } = templates[(next + index) % templates.length] as Template;
      const own = randomUUID();
      return entries.map((entry) => entry.replaceAll(id, own));
    });
    for (let turn = 0; group.some((entries) => turn < entries.length); turn += 1)
      for (const entry of group.flatMap((entries) => entries[turn] ?? [])) {
        if (isFull()) break;
        const time = new Date(Date.UTC(2026, 10, 20) + written * 7).toISOString();
        const text = entry.replace('@time', time);
        if (!out.write(written === 0 ? text : `,${text}`)) await once(out, 'drain');
        written += 1;
      }
  }
  out.end(']}}');
  await once(out, 'close');
  return written;
}
