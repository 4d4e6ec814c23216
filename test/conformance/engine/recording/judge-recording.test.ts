import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Fields } from '../../../../conformance/engine/outcome/read.js';
import { mergeRuns } from '../../../../conformance/engine/recording/merge.js';
import { judgeRecordings } from '../../../../conformance/engine/recording/pipeline.js';
import type { RecordedRun } from '../../../../conformance/engine/recording/recorded-run.js';
import { assembleRecording } from '../../../../conformance/engine/recording/report.js';
import { fileSource, type Source } from '../../../../conformance/engine/recording/source.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { reported } from '../../../../conformance/engine/report/json.js';
import { conclude } from '../../../../conformance/engine/rule/verdicts.js';
import { type Report, reportFormats } from '../../../../conformance/engine/vocabulary/report.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { unknownTarget } from '../../../../conformance/suite/target/target.js';
import { chooseFrom, findFault } from '../../../../deviations/index.js';
import { callers, type Rule, rules } from '../../../../generated/rules.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { ids } from '../../../support/evidence.js';
import { temporaryFolder } from '../../../support/folder.js';
import { profileAlone } from '../../../support/interrupted.js';
import { entry, harOf, judged, lines, running, source, start } from '../../../support/recordings.js';
import { usualFile, usualRun, usualTarget } from '../../../support/usual-run.js';

const harFile = (exchanges: readonly Exchange[]) =>
  writeReport('har', { exchanges: exchanges.map(reported) } as unknown as Report);
const reading = {
  at: '2026-03-02T12:00:00.500Z',
  request: { method: 'GET', url: `https://api.example.com/agents/v2/executions/${ids.execution}` },
  response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: { kind: 'json', value: running } },
};
const violated = (run: RecordedRun) => run.rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
const rule = (run: RecordedRun, id: string) => [...run.rules, ...run.callers].find((one) => one.id === id);

describe('the traffic of a run on the reference service', () => {
  let exchanges: readonly Exchange[];
  let fromHar: RecordedRun;
  beforeAll(async () => {
    ({ exchanges } = (await usualRun()).evidence);
    fromHar = await judged(harFile(exchanges));
  });

  test('violates no rule, passes most rules that traffic can exercise, and leaves the others untested', () => {
    expect(violated(fromHar)).toEqual([]);
    const passed = fromHar.rules.filter(({ verdict }) => verdict === 'passed');
    expect(passed.length).toBeGreaterThan(50);
    for (const { observations } of passed) expect(observations).toBeGreaterThan(0);
    const others = fromHar.rules.filter(({ verdict }) => verdict !== 'passed');
    expect(new Set(others.map(({ verdict, why }) => `${verdict}: ${why}`))).toEqual(
      new Set(['untested: No exchange is about this.']),
    );
  });

  test('is judged by all rules, and its callers by theirs', () => {
    expect(fromHar.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    expect(fromHar.callers.map(({ id }) => id)).toEqual(callers.map(({ id }) => id));
    // The suite sends what no caller should.
    expect(rule(fromHar, 'caller-respects-exclusivity')?.verdict).toBe('violated');
    expect(rule(fromHar, 'caller-follows-202')?.verdict).toBe('passed');
  });

  test('gets the same verdicts from a HAR and from lines', async () => {
    const some = exchanges.slice(0, 300);
    const [one, other] = [await judged(harFile(some)), await judged(lines(...some))];
    const counts = ({ rules: all }: RecordedRun) =>
      all.map(({ id, verdict, operations }) => ({ id, verdict, operations }));
    expect(counts(one)).toEqual(counts(other));
    expect(one.gaps).toEqual(other.gaps);
    expect(one.transitions).toEqual(other.transitions);
  });

  test('is counted', () => {
    const own = exchanges.filter(({ operation }) => operation !== null);
    expect(fromHar).toMatchObject({ requests: own.length, foreign: exchanges.length - own.length, unrecorded: 0 });
    expect(fromHar.executionsStarted).toBeGreaterThanOrEqual(20);
    expect(fromHar.baseUrls).toEqual(['http://reference.invalid']);
    expect(fromHar.span?.from).toBe(exchanges[0]?.at);
  });

  test('has observations for the gaps of the interface', () => {
    const observed = Object.fromEntries(fromHar.gaps.map((gap) => [gap.id, gap.observed]));
    expect(observed).toMatchObject({
      'status-read-while-queued': ['queued'],
      'rate-limit-headers': ['none'],
      'state-after-queued': ['starting'],
    });
    expect(fromHar.transitions).toContainEqual({ from: null, to: 'queued', count: 3, standing: 'documented' });
  });

  test('has the exchanges of its verdicts, by time, and no others', () => {
    const shown = new Set(
      [...fromHar.rules, ...fromHar.callers]
        .flatMap((one) => [one.exchanges, ...one.violations.flatMap(({ exchanges, others }) => [exchanges, others])])
        .flat(),
    );
    expect(fromHar.exchanges.map(({ id }) => id)).toEqual([...shown].sort((a, b) => a - b));
    const times = fromHar.exchanges.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

test('no rule is violated where the interface has a gap', async () => {
  const target = usualTarget({ allow: 'execute' });
  const { evidence } = await checkInProcess({ choices: chooseFrom('other') }, { target });
  expect(violated(await judged(harFile(evidence.exchanges)))).toEqual([]);
});

describe('traffic alone shows a violated rule:', () => {
  const { completes, slow } = usualFile.workflows;
  const starting = { allow: 'execute', profile: undefined, capacity: undefined } as const;
  test.each([
    ['code-of-401-is-its-own', 'simple-error-code', { allow: 'read' }],
    ['what-may-wait-takes-head-with-version', 'head-excludes-version', { ...starting, workflows: { completes } }],
    ['completed-runs-run-again', 'terminal-is-final', { ...starting, workflows: { completes } }],
    ['sync-answers-200-always', 'sync-200-means-terminal', { ...starting, workflows: { completes, slow } }],
    ['updates-change-the-id', 'update-keeps-identity', profileAlone],
  ] as const)('%s breaks %s', async (fault, id, declared) => {
    const target = usualTarget(declared);
    const selected = (one: Rule) => findFault(fault).breaks.includes(one.id);
    const { evidence } = await checkInProcess({ faults: [findFault(fault)] }, { target, selected });
    const run = await judged(harFile(evidence.exchanges));
    expect(violated(run)).toContain(id);
    const [violation] = rule(run, id)?.violations ?? [];
    const shown = run.exchanges.filter((one) => violation?.exchanges.includes(one.id));
    expect(shown.length).toBe(violation?.exchanges.length);
    expect(shown.map(({ operation }) => operation)).toContain(violation?.operation);
  });
});

describe('callers are judged:', () => {
  const sync = {
    ...start,
    url: `${start.url}`.replace(/execute$/, 'execute/sync'),
    body: { executionId: ids.execution, status: 'running' },
  };
  const timeout = { ...sync, status: 504, body: { code: 504, message: 'Gateway timeout' } };
  const later = (seconds: number) => ({ at: `2026-03-02T12:00:${String(seconds).padStart(2, '0')}.000Z` });
  const lookUp = 'caller-looks-up-after-gateway-timeout';
  const other = sync.url.replace(/workflows.*/, `executions/${ids.profile}`);
  const anHourLater = { at: '2026-03-02T13:00:01.000Z' };
  const listed = { ...later(2), url: sync.url.replace(/workflows.*/, 'executions?status=running') };
  const unheard = { ...later(2), url: other, content: { text: '' } };
  const again = { ...sync, ...later(5) };

  test.each([
    ['a search after a gateway timeout', lookUp, [timeout, later(5)], 'passed'],
    ['a 202 that is followed', 'caller-follows-202', [sync, later(5)], 'passed'],
    ['a 202 near the end of the recording', 'caller-follows-202', [sync, { ...later(5), url: other }], 'untested'],
    [
      'a 202 with a reading that was not recorded',
      'caller-follows-202',
      [sync, { ...later(5), content: { text: '' } }, { ...later(5), ...anHourLater, url: other }],
      'untested',
    ],
    ['a gateway timeout, and a possible search', lookUp, [timeout, listed, again], 'untested'],
    ['a gateway timeout, and a search that was not recorded', lookUp, [timeout, unheard, again], 'untested'],
  ])('%s', async (_, id, entries, verdict) => {
    const all = entries.map((sketch) => entry(sketch));
    expect(rule(await judged(harOf(...all)), id)).toMatchObject({ id, verdict });
  });
});

describe('the traffic of several services', () => {
  const other = entry({ url: `https://other.example.com/gw/agents/v2/executions/${ids.execution}` });
  const content = harOf(entry(), other, entry({ url: 'https://api.example.com/login' }));

  test('is judged as a whole if no target is named', async () => {
    expect(await judged(content)).toMatchObject({
      requests: 2,
      foreign: 1,
      baseUrls: ['https://api.example.com', 'https://other.example.com/gw'],
    });
  });

  test.each(['https://other.example.com/gw', 'HTTPS://Other.example.com:443/gw'])(
    'is judged for %s only if that is the target',
    async (baseUrl) => {
      const run = await judged(content, { facts: { ...unknownTarget, baseUrl } });
      expect(run).toMatchObject({ requests: 1, foreign: 2, baseUrls: ['https://other.example.com/gw'] });
    },
  );
});

test('a masked key is not searched for in answers', async () => {
  const masked = entry();
  const [header] = masked.request.headers;
  if (header) header.value = '[redacted]';
  expect(rule(await judged(harOf(masked)), 'no-secrets-in-responses')?.verdict).toBe('untested');
  expect(rule(await judged(harOf(entry())), 'no-secrets-in-responses')?.verdict).toBe('passed');
  const repeated = entry({ body: { ...running, agentName: 'a-secret-key' } });
  expect(rule(await judged(harOf(repeated)), 'no-secrets-in-responses')?.verdict).toBe('violated');
});

test('URLs that grant access are in no report, although they were judged', async () => {
  const open = 'https://live.example.com/s/open-sesame-5f1c9a77';
  const signed = 'https://files.example.com/f?X-Amz-Signature=9f86d081884c7d65';
  const body = { ...running, liveViewUrl: open, agentName: 5, inputs: { from: signed } };
  const run = await judged(harOf(entry({ body })));
  expect(rule(run, 'response-matches-schema')?.verdict).toBe('violated');
  const report = assembleRecording(run, conclude(run, { today: '2027-01-31' }));
  for (const format of reportFormats) {
    const text = writeReport(format, report);
    expect(text).not.toMatch(/open-sesame|9f86d081/);
    if (format === 'json') expect(text).toMatch(/live\.example\.com\/\[masked 1\].*X-Amz-Signature=\[signed 1\]/s);
  }
});

test.each([
  ['in a HAR', harOf(entry({ content: { mimeType: '' }, response: { headers: [] } }))],
  ['in lines', lines({ ...reading, response: { ...reading.response, headers: {} } })],
])('missing headers are not a wrong media type: %s', async (_, recording) => {
  const run = await judged(recording);
  expect(rule(run, 'json-is-labelled')?.verdict).toBe('untested');
  expect(rule(run, 'response-matches-schema')?.verdict).toBe('passed');
});

describe('a repeated recording of an exchange is one exchange:', () => {
  const profile = `https://api.example.com/agents/v2/agent-profiles/${ids.profile}`;
  const copy = { id: ids.pool, name: 'Copy', organizationId: ids.workflow, createdAt: '2026-03-02T12:00:01.000Z' };
  const copied = {
    method: 'POST',
    url: `${profile}/duplicate`,
    at: '2026-03-02T12:00:01.250Z',
    status: 201,
    body: copy,
  };
  const refused = { ...start, at: '2026-03-02T12:00:02.250Z', status: 500, body: { code: 500, message: 'No.' } };
  const timeout = { ...start, url: `${start.url}/sync`, status: 504, body: { code: 504, message: 'Gateway timeout' } };
  const sketches = [start, {}, { at: '2026-03-02T12:00:00.750Z' }, copied, refused, timeout];
  const all = sketches.map((sketch) => entry({ time: 20.5, ...sketch }));
  const masked = all.map((one) => ({ ...one, request: { ...one.request, headers: [] } }));
  const alone = () => judged(harOf(...all));

  test.each<[string, readonly Source[]]>([
    ['each entry twice', [source(harOf(...all.flatMap((one) => [one, one])))]],
    ['one export after the other', [source(harOf(...all) + harOf(...all))]],
    ['two files', [source(harOf(...all)), source(lines(...all))]],
    ['two exports, one without keys', [source(harOf(...all)), source(harOf(...masked))]],
  ])('%s', async (_, sources) => {
    const { repeated, ...run } = await judgeRecordings(sources);
    expect(repeated).toBe(all.length);
    expect({ ...run, repeated: 0 }).toEqual(await alone());
  });

  test('in parts that are merged, and in the report', async () => {
    const part = await judged(harOf(...all, ...all));
    const whole = mergeRuns(part, part);
    expect(whole.repeated).toBe(2 * all.length);
    const { recording } = assembleRecording(part, conclude(part, { today: '2026-03-02' }), {});
    expect(recording).toMatchObject({ repeated: all.length });
    expect(
      assembleRecording(await alone(), conclude(await alone(), { today: '2026-03-02' }), {}).recording,
    ).not.toHaveProperty('repeated');
  });

  test.each<[string, object]>([
    ['another time', { at: '2026-03-02T12:00:01.251Z' }],
    ['another duration', { time: 21 }],
    ['another answer', { body: { ...copy, id: ids.execution } }],
    ['another request body', { sent: { name: 'Another' } }],
    ['another number', { more: { _id: 7 } }],
  ])('but not with %s', async (_, more) => {
    const run = await judged(harOf(entry(copied), entry({ ...copied, ...more })));
    expect(run).toMatchObject({ requests: 2, repeated: 0 });
  });

  test('but not an update by a clock of seconds: it may be the second of two', async () => {
    const update = entry({
      method: 'PATCH',
      url: profile,
      at: '2026-03-02T12:00:01Z',
      sent: { name: 'a' },
      body: copy,
    });
    expect(await judged(harOf(update, update))).toMatchObject({ requests: 2, repeated: 0 });
  });
});

test('only selected rules are judged', async () => {
  const run = await judged(harOf(entry()), { selected: ({ id }) => id.startsWith('sync-') });
  expect(run.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id).filter((id) => id.startsWith('sync-')));
});

test('rules about state are not applicable to a stateless target', async () => {
  const run = await judged(harOf(entry()), { facts: { ...unknownTarget, stateful: false } });
  expect(rule(run, 'terminal-is-final')?.verdict).toBe('not-applicable');
});

describe('an invalid recording is refused, with its place:', () => {
  const forms = 'A recording is a HAR, or has one exchange a line, as docs/recordings.md shows it.';
  const good = JSON.stringify(entry());
  test.each([
    [
      harOf(entry(), entry()).slice(0, -300),
      'a.har is not JSON to its end, or lacks a list of entries (complete entries: 1 or more).',
    ],
    ['<html>', `a.har:1: the line is not an exchange: it is not JSON. ${forms}`],
    ['[1]', `a.har: entry 1 is not an exchange: it is not an object. ${forms}`],
    ['[{"method":"GET","host":"a.example"},5]', `a.har: entry 1 is not an exchange: request is missing. ${forms}`],
    [
      lines(entry({ request: { url: '/agents/v2/executions/1' } })),
      `a.har:1: the line is not an exchange: request.url is a path; write the whole URL. ${forms}`,
    ],
  ])('%j', async (content, message) => {
    const refused = await judged(content).then(
      () => undefined,
      (error: Error & { exitCode?: number }) => error,
    );
    expect(refused).toMatchObject({ message, exitCode: 2 });
  });

  test('and the error contains no key', async () => {
    await expect(judged(`a-secret-key ${good}`)).rejects.not.toThrow(/secret/);
    await expect(judged(good.replace('"time"', 'time'))).rejects.not.toThrow(/secret/);
    const { unreadable } = await judged(`${good}\n${good.replace('"time"', 'time')}`);
    expect(unreadable.count).toBe(1);
    expect(JSON.stringify(unreadable)).not.toMatch(/secret/);
  });
});

describe('an invalid exchange is counted and named, and the rest is judged:', () => {
  const good = JSON.stringify(entry());
  test.each([
    [harOf(entry(), entry({ url: 5 as never })), 'a.har: entry 2 is not an exchange: request.url is not a text.'],
    [
      harOf(entry(), entry({ url: `https://api.example.com:99999/agents/v2/executions/${ids.execution}` })),
      'a.har: entry 2 is not an exchange: request.url is no URL.',
    ],
    [harOf(null, entry()), 'a.har: entry 1 is not an exchange: it is not an object.'],
    [harOf('text, with [brackets', entry()), 'a.har: entry 1 is not an exchange: it is not an object.'],
    [`${good}\n\n{"request":{"method":"GET"}}`, 'a.har:3: the line is not an exchange: request.url is missing.'],
    [
      `${good}\n${good.slice(0, 400)}`,
      /^a\.har:2: the line is not an exchange: it is not JSON( \(at position \d+\))?\.$/,
    ],
    [
      `${good.slice(0, 400)}\n${good}`,
      /^a\.har:1: the line is not an exchange: it is not JSON( \(at position \d+\))?\.$/,
    ],
  ])('%j', async (content, message) => {
    const run = await judged(content);
    expect(run.requests).toBe(1);
    expect(run.unreadable).toEqual({
      count: 1,
      first: [typeof message === 'string' ? message : expect.stringMatching(message)],
    });
    const { recording, remarks } = assembleRecording(run, conclude(run, { today: '2026-11-20' }));
    expect(recording?.unreadable).toBe(1);
    expect(remarks.join()).toContain('1 entry is not an exchange and left out: a.har');
  });
});

describe('if no rule was judged, the report has a reason:', () => {
  test.each([
    ['no entry', harOf(), '', ['No request was seen.']],
    [
      'another API',
      harOf(entry({ url: 'https://api.example.com/v1/users' })),
      '',
      ['None of the requests has a path of the contract, such as /agents/v2/executions/{executionId}.'],
    ],
    [
      'another base URL',
      harOf(entry()),
      'https://other.example.com',
      ['The requests went to https://api.example.com: give that as the base URL, or none.'],
    ],
    ['and no reason if one was judged', harOf(entry()), '', []],
  ])('%s', async (_, har, baseUrl, remarks) => {
    const run = await judged(har, { facts: { ...unknownTarget, baseUrl } });
    expect(assembleRecording(run, conclude(run, { today: '2026-11-20' })).remarks).toEqual(remarks);
  });
});

test('body files beside a HAR are read, and missing ones are left out', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'session.har');
  const { request, response, ...rest } = entry(start) as unknown as Record<'request' | 'response', Fields>;
  const body = { ...(response?.content as Fields), text: undefined, size: -1 };
  const of = (name: string) => ({ ...rest, request, response: { ...response, content: { ...body, _file: name } } });
  await writeFile(join(folder, 'start.json'), JSON.stringify(start.body));
  await mkdir(join(folder, 'a-folder'));
  await writeFile(file, harOf(...['start.json', 'missing.json', 'a-folder', '../session.har'].map(of)));
  const run = await judgeRecordings([fileSource(file)]);
  expect([run.requests, run.executionsStarted, run.unrecorded]).toEqual([1, 1, 3]);
});

test('a stopped reading is judged up to that point', async () => {
  const stop = new AbortController();
  const endless = {
    name: 'standard input',
    async *open() {
      for (let turn = 0; ; turn += 1) {
        yield Buffer.from(lines(entry({ time: turn })));
        if (turn === 500) {
          stop.abort();
          throw new Error('aborted');
        }
      }
    },
  };
  const run = await judgeRecordings([endless, source(harOf(entry()))], { signal: stop.signal });
  expect(run.requests).toBeGreaterThanOrEqual(500);
});
