import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usualBounds } from '../../../../conformance/engine/recording/bounds.js';
import { judgeBy, judgeRecordings } from '../../../../conformance/engine/recording/judge-recording.js';
import type { Source } from '../../../../conformance/engine/recording/source.js';
import { Threads } from '../../../../conformance/engine/recording/threads.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { unknownTarget } from '../../../../conformance/suite/target/target.js';
import { rules } from '../../../../generated/rules.js';
import { ids } from '../../../support/evidence.js';
import { entry, harOf, lines, running, source, start } from '../../../support/recordings.js';
import { threadHere } from '../../../support/threads.js';
import { traffic } from '../../../support/traffic.js';

const brief = { facts: unknownTarget, rules: rules.map(({ id }) => id), bounds: usualBounds };
const inThreads = (sources: readonly Source[], jobs: number) => judgeBy(new Threads(brief, jobs, threadHere), sources);

const pair = ([name, value]: [string, string]) => ({ name, value });
const textOf = (body: Exchange['request']['body']) =>
  body.kind === 'json' ? JSON.stringify(body.value) : 'text' in body ? body.text : '';

/** As a browser writes it, with what stands in its own queue. */
const asHar = ({ at, durationMs, request, response, failure }: Exchange) => ({
  _initiator: { url: 'https://app.example.com/agents/v2/executions/other' },
  startedDateTime: new Date(at - 5).toISOString(),
  time: durationMs + 5,
  request: {
    method: request.method,
    url: request.url,
    headers: Object.entries(request.headers).map(pair),
    bodySize: textOf(request.body).length,
    ...(request.body.kind !== 'none' && { postData: { text: textOf(request.body) } }),
  },
  response: response
    ? {
        status: response.status,
        headers: Object.entries(response.headers).map(pair),
        content: { text: textOf(response.body) || 'null' },
      }
    : { status: 0, _error: failure },
  timings: { blocked: 5 },
});

const foreign = { at: 1_770_000_000_050, request: { method: 'GET', url: 'https://elsewhere.example.com/a.js' } };
/** By the first two of these an execution may be looked up. */
const unshown = [
  ['GET', 'executions?status=running'],
  ['GET', 'executions/search'],
  ['PATCH', 'agent-profiles/bulk'],
].map(([method, path]) => ({
  request: { method, url: `http://127.0.0.1:4010/agents/v2/${path}` },
  response: { status: 200, body: { kind: 'json', value: {} } },
}));
const forms: Readonly<Record<string, (exchanges: readonly Exchange[]) => string | Uint8Array>> = {
  lines: (exchanges) => lines(...exchanges),
  packed: (exchanges) => gzipSync(lines(...exchanges)),
  har: (exchanges) => harOf(...exchanges.map(asHar)),
  mixed: (exchanges) => lines(foreign, ...exchanges.map((one, index) => (index % 2 ? asHar(one) : one)), foreign),
  'by paths': (exchanges) =>
    lines(
      foreign,
      ...exchanges.map(({ request, ...one }, index) => {
        const { host, pathname } = new URL(request.url);
        const response = index % 5 === 0 && one.response ? { ...one.response, body: { kind: 'lost' } } : one.response;
        return { ...one, request: { ...request, url: pathname, headers: { ...request.headers, host } }, response };
      }),
    ),
  twice: (exchanges) => lines(...exchanges.flatMap(({ id: _, ...one }) => [one, one])),
  'once more': (exchanges) => lines(...[...exchanges, ...exchanges].map(({ id: _, ...one }) => one)),
  'in parts': (exchanges) =>
    lines(...exchanges.map((one, index) => (index % 3 === 0 ? { elsewhere: true, ...one } : one))),
  'in pieces': (exchanges) =>
    lines(
      ...exchanges.flatMap((one, index): unknown[] => {
        const lost = { ...one, response: one.response && { ...one.response, body: { kind: 'lost' } } };
        return index % 5 === 0 ? [lost] : index % 5 === 1 ? [{ ...unshown[one.id % 3], at: one.at }, one] : [one];
      }),
    ),
  'out of order': (exchanges) => lines(...exchanges.toSorted((a, b) => (a.id % 7) - (b.id % 7))),
  'with other ends of lines': (exchanges) =>
    `\ufeff\r\n${lines(...exchanges)
      .replaceAll('\n', '\r\n \t\r\n')
      .trimEnd()}`,
  'names written otherwise': (exchanges) => lines(...exchanges).replaceAll('"request"', '"r\\u0065quest"'),
};

test('what threads find is what one finds, whatever the traffic, its files and their number', async () => {
  const shown = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      traffic,
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 7, maxLength: 7 }),
      fc.constantFrom(...Object.keys(forms)),
      fc.integer({ min: 2, max: 8 }),
      fc.integer({ min: 50, max: 20_000 }),
      async (exchanges, deal, form, jobs, pieceBytes) => {
        const sources = () =>
          [0, 1, 2, 3].map((file) => {
            const own = exchanges.filter((_, index) => deal[index % 7] === file);
            return source(forms[form]?.(own) ?? '', pieceBytes, `${file}.ndjson`);
          });
        const one = await judgeRecordings(sources());
        expect(JSON.stringify(await inThreads(sources(), jobs))).toBe(JSON.stringify(one));
        for (const { id, verdict } of one.callers) if (verdict !== 'untested') shown.add(`${id} ${verdict}`);
      },
    ),
    { numRuns: 120 },
  );
  // What came next of a lost start belongs to no one history; whether an execution is followed is told by what was sent last.
  expect([...shown].join()).toMatch(/caller-looks-up-after-gateway-timeout (?:passed|violated)/);
  expect([...shown]).toContain('caller-follows-202 violated');
});

test('a recording that ends soon after a start does not show what its caller did next, in whichever thread it is', async () => {
  const begun = (minute: number, number: number) => ({
    ...start,
    at: new Date(Date.UTC(2026, 2, 2, 12, minute)).toISOString(),
    body: { executionId: ids.execution.replace(/.$/, String(number)), status: 'starting' },
  });
  const recording = harOf(...[0, 1, 2, 30, 62].map((minute, number) => entry(begun(minute, number))));
  const run = await inThreads([source(recording)], 3);
  expect(run).toEqual(await judgeRecordings([source(recording)]));
  const follows = run.callers.find(({ id }) => id === 'caller-follows-by-polling');
  expect(follows?.violations[0]?.count).toBe(2);
});

describe('a mistake in a recording', () => {
  const good = (number: number) =>
    entry({ url: `https://a.example.com/agents/v2/executions/${number}`, body: running });
  const item = (number: number) => JSON.stringify(good(number));
  const many = (from: number) => Array.from({ length: 40 }, (_, index) => item(from + index));
  const bad =
    '{"startedDateTime":"never","request":{"method":"GET","url":"https://a.example.com/agents/v2/executions/9"}}';

  test.each([
    ['a line that is no JSON', [...many(0), '{"request":{', ...many(50)]],
    ['a line that is not an exchange', [...many(0), bad, ...many(50), '{', item(3)]],
    [
      'a start that is none',
      [...many(0), bad.replace('GET', 'POST').replace('executions/9', 'workflows/9/execute'), '{'],
    ],
    ['a line before damage', [...many(0), '{', ...many(50), '\u0000']],
  ])('%s is named as one thread names it', async (_, written) => {
    const text = written.join('\n');
    const said = (run: Promise<unknown>) =>
      run.then(
        () => 'nothing',
        ({ message }) => message,
      );
    const one = await said(judgeRecordings([source(text, 700, 'a.ndjson')]));
    expect(one).toMatch(/^a\.ndjson:41: the line /);
    expect(await said(inThreads([source(text, 700, 'a.ndjson')], 3))).toBe(one);
  });

  test('of the file comes after one of what was read of it', async () => {
    const packed = gzipSync([...many(0), '{', ...many(50)].join('\n'));
    const cut = () => source(packed.subarray(0, -20), 100, 'a.gz');
    await expect(inThreads([cut()], 2)).rejects.toThrow(/^a\.gz:41: the line is not JSON/);
    await expect(inThreads([source(gzipSync(many(0).join('\n')).subarray(0, -20), 100, 'a.gz')], 2)).rejects.toThrow(
      'a.gz ends in the middle of its gzip data.',
    );
  });
});

test('items larger than a batch are handed over whole', async () => {
  const large = (number: number) =>
    entry({
      body: { ...running, inputs: { text: 'x'.repeat(number * 300_000) } },
      at: `2026-03-02T12:00:0${number}.000Z`,
    });
  const recording = harOf(...[1, 2, 3, 1, 4].map(large));
  expect(await inThreads([source(recording, 50_000)], 2)).toEqual(await judgeRecordings([source(recording)]));
});

test('a thread that fails ends it', async () => {
  const failing = (code: string) => () =>
    ({
      on(name: string, listener: (error: Error) => void) {
        if (name === 'error') setImmediate(() => listener(Object.assign(new Error('gone'), { code })));
        return this;
      },
      postMessage() {},
      terminate: async () => 0,
    }) as never;
  const judged = (code: string) => judgeBy(new Threads(brief, 2, failing(code)), [source(harOf(entry()))]);
  await expect(judged('ERR_WORKER_OUT_OF_MEMORY')).rejects.toMatchObject({
    message: 'A thread that judges ran out of memory: give less to --remember, or fewer --jobs.',
    exitCode: 2,
  });
  await expect(judged('')).rejects.toThrow('gone');
});
