import { describe, expect, test } from 'vitest';
import { EntryReader } from '../../../../conformance/engine/recording/entry.js';
import type { RecordedRun } from '../../../../conformance/engine/recording/recorded-run.js';
import { ids } from '../../../support/evidence.js';
import { entry, harOf, judged, lines, running, start } from '../../../support/recordings.js';

const exchangeOf = (value: unknown) => {
  const found = new EntryReader().read(value, 1);
  return found.kind === 'exchange' ? found.exchange : found.kind;
};
const verdict = (run: RecordedRun, id: string) => run.rules.find((one) => one.id === id)?.verdict;

/** A synchronous start that gave up after its second, and whatever the recorder wrote of that. */
const gaveUp = (more: object) =>
  entry({
    ...start,
    url: `${start.url}/sync`,
    sent: { timeoutSeconds: 1 },
    body: { executionId: ids.execution, status: 'running' },
    more,
  });
const steps = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 1, wait: 1000, receive: 2 };
const nothing = { send: 0, wait: 0, receive: 0 };

describe('no rule uses an unknown duration:', () => {
  test.each([
    ['time', { time: 1003 }, 'passed'],
    ['time too short', { time: 100 }, 'violated'],
    ['time null, timings', { time: null, timings: steps }, 'passed'],
    ['time 0, timings', { time: 0, timings: steps }, 'passed'],
    ['time -1, timings', { time: -1, timings: steps }, 'passed'],
    ['no time, timings', { time: undefined, timings: steps }, 'passed'],
    ['time null, timings of null', { time: null, timings: nothing }, 'untested'],
    ['time null, no timings', { time: null }, 'untested'],
    ['time 0, timings null', { time: 0, timings: null }, 'untested'],
    ['time a text', { time: '1003' }, 'untested'],
  ])('%s', async (_, more, want) => {
    expect(verdict(await judged(harOf(gaveUp(more))), 'sync-202-when-time-is-up')).toBe(want);
  });

  test.each([
    [{ durationMs: 1003 }, 'passed'],
    [{ durationMs: 0 }, 'violated'],
    [{}, 'untested'],
    [{ durationMs: null }, 'untested'],
    [{ durationMs: -1 }, 'untested'],
  ])('of a line with %j', async (more, want) => {
    const exchange = exchangeOf(gaveUp({ time: 1003 })) as object;
    const { durationMs: _, ...rest } = exchange as { durationMs: number };
    expect(verdict(await judged(lines({ ...rest, ...more })), 'sync-202-when-time-is-up')).toBe(want);
  });

  test('nor the order of later exchanges', async () => {
    const first = entry({ body: { ...running, status: 'completed' }, more: { time: null } });
    const run = await judged(harOf(first, entry({ at: '2026-03-02T12:00:05.000Z' })));
    expect(verdict(run, 'terminal-is-final')).not.toBe('violated');
  });
});

describe('a wrongly labelled body is', () => {
  const text = JSON.stringify(running);
  const base64 = (of: string) => Buffer.from(of).toString('base64');
  const json = { kind: 'json', value: running };
  test.each([
    ['base64, marked', { text: base64(text), encoding: 'base64' }, json],
    ['plain text, marked as base64', { text, encoding: 'base64' }, json],
    ['base64, not marked', { text: base64(text) }, json],
    ['base64 over several lines', { text: base64(text).replaceAll(/.{76}/g, '$&\n'), encoding: 'base64' }, json],
    ['a word that may be base64, marked', { text: base64('null'), encoding: 'base64' }, { kind: 'json', value: null }],
    ['JSON that may be base64, marked', { text: '1234', encoding: 'base64' }, { kind: 'json', value: 1234 }],
    ['JSON that may be base64', { text: 'true' }, { kind: 'json', value: true }],
    ['a word', { text: 'hello' }, { kind: 'not-json', text: 'hello' }],
  ])('read: %s', (_, content, want) => {
    expect(exchangeOf(entry({ content: { size: 1, ...content } }))).toMatchObject({ response: { body: want } });
  });
});

describe('a cut or masked value, in requests as well,', () => {
  const posted = (text: string, more: object) => ({
    ...start,
    request: { bodySize: -1, postData: { mimeType: 'application/json', text }, ...more },
  });
  const cut = '{"onCapacityLimit":"que';
  test.each([
    ['cut off by an unknown sender', posted(cut, {}), 'unrecorded'],
    ['cut off by the recorder', posted(cut, { bodySize: 27 }), 'unrecorded'],
    [
      'cut off by the caller',
      { ...posted(cut, {}), headers: { 'Content-Length': `${cut.length}` } },
      { request: { body: { text: cut } } },
    ],
    ['with a name in place of an id', entry({ body: { ...running, id: '<uuid>' } }), 'unrecorded'],
    ['with an id in braces', entry({ body: { ...running, id: `{${ids.execution}}` } }), { operation: 'getExecution' }],
  ])('%s', (_, sketch, want) => {
    const found = exchangeOf('startedDateTime' in sketch ? sketch : entry(sketch));
    if (typeof want === 'string') expect(found).toBe(want);
    else expect(found).toMatchObject(want);
  });

  const begun = (inputs: unknown) => entry({ ...start, sent: { inputs, metadata: { a: 'b' } } });
  const shown = (inputs: unknown, metadata: unknown = { a: 'b' }) =>
    entry({ at: '2026-03-02T12:00:05.000Z', body: { ...running, inputs, metadata } });
  test.each([
    ['a text of the request', begun({ user: '****' }), shown({ user: 'Robin' }), 'passed'],
    ['a text of the answer', begun({ user: 'Robin' }), shown({ user: '****' }), 'passed'],
    ['a text of the answer, by x', begun({ user: 'Robin' }), shown({ user: 'xxxxx-xxxx' }), 'passed'],
    ['no text that only has a word for it', begun({ user: 'Robin' }), shown({ user: 'not hidden' }), 'violated'],
    ['all of the answer', begun({ user: 'Robin' }), shown('[Filtered]', '[Filtered]'), 'untested'],
    ['another text', begun({ user: '****', a: 1 }), shown({ user: 'Robin', a: 2 }), 'violated'],
  ])('%s', async (_, one, other, want) => {
    const run = await judged(harOf(one, other));
    expect(verdict(run, 'inputs-are-recorded')).toBe(want);
    expect(verdict(run, 'metadata-is-recorded')).not.toBe('violated');
    expect(verdict(run, 'response-matches-schema')).not.toBe('violated');
  });

  test('is not held against an update', async () => {
    const update = (name: string) =>
      entry({
        method: 'PATCH',
        url: `https://api.example.com/agents/v2/agent-profiles/${ids.profile}`,
        sent: { name },
        body: { id: ids.profile, name: 'A profile' },
      });
    expect(verdict(await judged(harOf(update('****'))), 'update-applies')).toBe('untested');
    expect(verdict(await judged(harOf(update('Another'))), 'update-applies')).toBe('violated');
  });
});

describe('a replaced value is no evidence:', () => {
  const replacements = [
    '<DATE_TIME>',
    '<UUID_1>',
    'at <TIME_2>',
    '[EMAIL_ADDRESS]',
    '{{id}}',
    'to {{$guid}}',
    '0'.repeat(64),
    '00000000-0000-0000-0000-000000000000',
    '$'.concat('{name}'),
    '%ID%',
  ];
  const begun = entry({ ...start, sent: { inputs: { month: '2026-02' } } });
  const reading = (fields: object, second = '05') =>
    entry({ at: `2026-03-02T12:00:${second}.000Z`, body: { ...running, inputs: { month: '2026-02' }, ...fields } });
  const whyOf = (run: RecordedRun, id: string) => run.rules.find((one) => one.id === id)?.why;

  test.each(replacements)('an input, %s', async (word) => {
    const run = await judged(harOf(begun, reading({ inputs: { month: word } })));
    expect(verdict(run, 'inputs-are-recorded')).toBe('untested');
    expect(whyOf(run, 'inputs-are-recorded')).toMatch(/^month is ".*anonymiser/);
  });

  test.each(replacements)('an input of the start, %s', async (word) => {
    const run = await judged(harOf(entry({ ...start, sent: { inputs: { month: word } } }), reading({})));
    expect(verdict(run, 'inputs-are-recorded')).toBe('untested');
  });

  test.each(['<UUID_1>', '1<DATE_TIME>-4000-8000'])('an id in an answer, %s', async (agentId) => {
    const run = await judged(harOf(begun, reading({ agentId }), reading({ agentId: '<UUID_2>' }, '09')));
    expect(run).toMatchObject({ requests: 3, unrecorded: 0 });
    expect(run.rules.filter((one) => one.verdict === 'violated')).toEqual([]);
    expect(whyOf(run, 'response-matches-schema')).toContain('anonymiser');
  });

  test('an id in a schema with alternatives', async () => {
    const runner = { email: 'robin@example.com', userId: '<UUID_3>', isAdmin: false };
    const run = await judged(harOf(reading({ triggerContext: { source: 'schedule', runner } })));
    expect(verdict(run, 'response-matches-schema')).toBe('untested');
  });

  test('an id in a request that was accepted', async () => {
    const run = await judged(harOf(entry({ ...start, sent: { profileId: '<UUID_1>' } })));
    expect(verdict(run, 'execute-body-is-typed')).toBe('untested');
  });

  test('but a fault beside it is reported', async () => {
    const run = await judged(
      harOf(
        begun,
        reading({ agentId: '<UUID_1>', status: 'completed', createdAt: 'yesterday' }),
        reading({ agentId: '<UUID_1>' }, '09'),
      ),
    );
    for (const rule of ['response-matches-schema', 'terminal-is-final'])
      expect([rule, verdict(run, rule)]).toEqual([rule, 'violated']);
    const { violations = [] } = run.rules.find(({ id }) => id === 'response-matches-schema') ?? {};
    expect(violations.map(({ actual }) => actual)).toEqual([expect.stringContaining('/createdAt is "yesterday"')]);
  });

  const updated = (name: string, shown: string, second: number, more: object = {}) =>
    entry({
      method: 'PATCH',
      url: `https://api.example.com/agents/v2/agent-profiles/${ids.profile}`,
      at: `2026-03-02T12:00:${second}.000Z`,
      sent: { name },
      body: { id: ids.profile, name: shown, ...more },
    });
  const long = 'A profile for the portal of Nordwind';
  test.each([
    ['another encoding', 'Köln', 'KÃ¶ln', 'Bär', /^name is "KÃ¶ln", which may be cut, or in another encoding/],
    ['escaped', 'A & B', 'A &amp; B', 'C < D', /in another encoding/],
    ['without accents', 'Café', 'Caf', 'Bär', /in another encoding/],
    ['cut', long, `${long.slice(0, 25)}...`, `${long} Nord`, /which may be cut/],
    ['a hash', 'Portal', '49d0369b', '', /^name is "49d0369b", a hash/],
    ['letters by x', 'Portal 1', 'xxxxxx 0', '', /a placeholder/],
    ['a number in brackets', 'Portal', '<0>', '', /a placeholder/],
  ])('a name, %s, unless a similar name equals that of the request', async (_, name, shown, witness, why) => {
    const run = await judged(harOf(updated(name, shown, 11)));
    expect([verdict(run, 'update-applies'), whyOf(run, 'update-applies')]).toEqual([
      'untested',
      expect.stringMatching(why),
    ]);
    const other = await judged(harOf(updated(name, shown, 11), updated(witness, witness, 12)));
    expect(verdict(other, 'update-applies')).toBe(/hash|placeholder/.test(`${why}`) ? 'untested' : 'violated');
  });

  test('names that all differ from the requests, and other names beside them', async () => {
    const names = ['Portal', 'Mail', 'Bank'].map((name, turn) =>
      updated(name, ['Alex', 'Sam', 'Jo'][turn] ?? '', 11 + turn),
    );
    expect(whyOf(await judged(harOf(...names)), 'update-applies')).toContain('no text of name is as it was sent');
    const run = await judged(harOf(...names, updated('Files', 'Files', 20)));
    expect(verdict(run, 'update-applies')).toBe('violated');
  });

  test('one id for several resources', async () => {
    const one = ids.execution;
    const body = { ...running, id: one, agentId: one, organizationId: one, workflowId: one };
    const run = await judged(
      harOf(begun, reading(body), reading({ ...body, status: 'completed' }, '07'), reading(body, '09')),
    );
    expect(run.rules.filter((rule) => rule.verdict === 'violated').map(({ id }) => id)).toEqual([]);
    expect(run.rules.filter(({ why }) => why.includes('stands for several things'))).not.toEqual([]);
  });

  test('a missing field, if no body has an empty value', async () => {
    const full = (fields: object, second: string) =>
      reading({ comments: undefined, humanLabels: undefined, metadata: { a: 'b', c: 'd', e: 'f' }, ...fields }, second);
    const sparse = [full({}, '05'), full({ status: 'starting' }, '06')];
    expect(whyOf(await judged(harOf(...sparse)), 'response-matches-schema')).toContain(
      'no null, empty text or empty list',
    );
    const run = await judged(harOf(...sparse, full({ comments: [] }, '07')));
    expect(verdict(run, 'response-matches-schema')).toBe('violated');
  });

  const items = (...values: readonly number[]) => ({ inputs: { list: values } });
  const begunWith = (sent: object) => entry({ ...start, sent, request: { bodySize: -1 } });
  const readAt = (second: number, body: object, size?: number, more: object = {}) =>
    entry({ at: `2026-03-02T12:00:0${second}.000Z`, body: { ...running, ...body }, content: { size }, ...more });
  const announced = (length: number) => ({
    response: { headers: [{ name: 'Content-Length', value: `${length}` }] },
  });
  const bytesOf = (body: object) => JSON.stringify({ ...running, ...body }).length;
  const [whole, short] = [items(1, 2, 3), items(2)];
  test.each([
    ['of unknown length', [begunWith(whole), readAt(5, short)], 'untested'],
    ['unless a longer list is shown', [begunWith(whole), readAt(5, short), readAt(6, items(4, 5))], 'violated'],
    ['unless it has its size', [begunWith(whole), readAt(5, short, bytesOf(short))], 'violated'],
    [
      'unless it has its announced length',
      [begunWith(whole), readAt(5, short, -1, announced(bytesOf(short)))],
      'violated',
    ],
    [
      'also beside a longer one, if its body is shorter than announced',
      [begunWith(whole), readAt(5, short, bytesOf(short), announced(bytesOf(whole))), readAt(6, items(4, 5))],
      'untested',
    ],
    [
      'but not beside a longer one, if its body is shorter because a part of it is masked',
      [
        begunWith(whole),
        readAt(5, { ...short, agentName: '[masked 1]' }, 5, announced(2000)),
        readAt(6, items(4, 5), 5, announced(2000)),
      ],
      'violated',
    ],
    [
      'also beside a longer one that begins with it',
      [begunWith(whole), readAt(5, items(1)), readAt(6, items(4, 5))],
      'untested',
    ],
    [
      'unless an item of it differs',
      [begunWith(whole), readAt(5, items(1, 9, 3)), readAt(6, whole, bytesOf(whole))],
      'violated',
    ],
  ])('a list that may be cut, %s', async (_, entries, want) => {
    const run = await judged(harOf(...entries));
    expect([verdict(run, 'inputs-are-recorded'), whyOf(run, 'inputs-are-recorded')]).toEqual([
      want,
      want === 'untested' ? expect.stringMatching(/^list may have had more items: most likely/) : expect.anything(),
    ]);
  });

  test('a mark for the rest of a list', async () => {
    const run = await judged(harOf(reading({ comments: ['... 3 more items'] })));
    expect(whyOf(run, 'response-matches-schema')).toContain('"... 3 more items", a placeholder');
  });

  test('and texts in brackets that equal those of the request are evidence', async () => {
    const run = await judged(
      harOf(entry({ ...start, sent: { inputs: { month: '<MONTH>' } } }), reading({ inputs: { month: '<MONTH>' } })),
    );
    expect(verdict(run, 'inputs-are-recorded')).toBe('passed');
  });
});

test('a duplication in two recordings made one copy; two duplications must make two', async () => {
  const copied = (at: string) =>
    entry({
      method: 'POST',
      url: `https://api.example.com/agents/v2/agent-profiles/${ids.profile}/duplicate`,
      at,
      status: 201,
      body: { id: ids.pool, name: 'A copy' },
    });
  const [one, same, other] = ['00.500', '00.512', '05.000'].map((second) => copied(`2026-03-02T12:00:${second}Z`));
  expect(verdict(await judged(harOf(one, same)), 'duplicate-is-new')).toBe('passed');
  expect(verdict(await judged(harOf(one, other)), 'duplicate-is-new')).toBe('violated');
});
