import { describe, expect, test } from 'vitest';
import { Live } from '../../../../conformance/engine/proxy/live.js';
import type { RecordedRun } from '../../../../conformance/engine/recording/recorded-run.js';
import { unknownTarget } from '../../../../conformance/suite/target/target.js';
import { ids } from '../../../support/evidence.js';
import { type EntrySketch, entry, harOf, judged, lines, passed, running, start } from '../../../support/recordings.js';

const api = 'https://api.example.com/agents/v2';
const read: EntrySketch = {};
const files: EntrySketch = {
  url: `${api}/executions/${ids.execution}/files`,
  body: {
    directories: { debug: [], downloads: [], shared: [], tracing: [], uploads: [], workspace: [] },
    lastUpdated: running.createdAt,
  },
};
const other: EntrySketch = {
  url: `${api}/executions/${ids.workflow}`,
  body: { ...running, id: ids.workflow },
};
const json = (status: number, body: unknown) => (sketch: EntrySketch) => ({ ...sketch, status, body });
const text = (status: number, words: string) => (sketch: EntrySketch) => ({
  ...sketch,
  status,
  content: { text: words, size: words.length, mimeType: 'text/html' },
  response: { headers: [{ name: 'Content-Type', value: 'text/html' }] },
});

const all = (sketches: readonly EntrySketch[]) =>
  sketches.map((sketch, turn) =>
    entry({ ...sketch, at: new Date(Date.UTC(2026, 2, 2, 12, 0, 10 * turn)).toISOString() }),
  );
const runOf = (...sketches: readonly EntrySketch[]) => judged(harOf(...all(sketches)));
const broken = ({ rules }: RecordedRun) =>
  rules.filter(({ level, verdict }) => level === 'MUST' && verdict === 'violated').map(({ id }) => id);

const gateways: readonly [string, (sketch: EntrySketch) => EntrySketch][] = [
  ['a page of maintenance', text(200, '<html>Back soon</html>')],
  ['JSON of maintenance', json(200, { status: 'maintenance' })],
  ['no route, in JSON', json(404, { message: 'no Route matched with those values' })],
  ['no route, in a text', text(404, 'default backend - 404')],
  ['no route, with the number of a request', (sketch) => json(404, { id: `${sketch.url?.length ?? 0}ab` })(sketch)],
  ['not found, with the words of the service', json(404, { code: 404, message: 'Not found.' })],
  ['an unknown key', json(401, { message: 'Unauthorized' })],
  ['an error of its own', json(500, { message: 'An unexpected error occurred' })],
];

describe.each(gateways)('%s: an intermediary', (_, gateway) => {
  test('that answers for a while is not judged, whatever follows', async () => {
    const run = await runOf(read, gateway(read), gateway(files), gateway(read), other);
    expect(broken(run)).toEqual([]);
    expect(run).toMatchObject({ requests: 2, unrecorded: 3 });
  });

  test('that answers at times is not judged, if the request is repeated', async () => {
    const run = await runOf(read, gateway(files), read, gateway(read), other, read, files);
    expect(broken(run)).toEqual([]);
    expect(run).toMatchObject({ requests: 5, unrecorded: 2 });
  });
});

describe('the service itself is judged if it', () => {
  const [strange] = [json(404, { message: 'Not found' })];
  test.each<[string, readonly EntrySketch[]]>([
    ['answers so for one operation only', [read, strange(read), read, files]],
    ['answers so for a resource that it never found', [other, strange(read), strange(files), other]],
  ])('%s', async (_, sketches) => {
    const run = await runOf(...sketches);
    expect(broken(run)).toContain('simple-error-shape');
    expect(run).toMatchObject({ requests: sketches.length, unrecorded: 0 });
  });
});

describe('some of many answers are kept, and the others recognized by their words:', () => {
  const gateway = json(404, { message: 'no Route matched with those values' });
  const outage = Array.from({ length: 500 }, (_, turn) => gateway(turn % 2 === 0 ? read : files));
  const many = (...sketches: readonly EntrySketch[]) => judged(lines(...all(sketches)));

  test('an intermediary that answered for a while', async () => {
    const run = await many(read, ...outage, other);
    expect(broken(run)).toEqual([]);
    expect(run).toMatchObject({ requests: 2, unrecorded: 500 });
  });

  test('an intermediary that answers at times', async () => {
    const run = await many(read, ...outage.flatMap((one) => [one, read, files]));
    expect(broken(run)).toEqual([]);
    expect(run).toMatchObject({ requests: 1001, unrecorded: 500 });
  });

  test('the service itself', async () => {
    expect(broken(await many(other, ...outage, other))).toContain('simple-error-shape');
  });
});

describe('a request with a unique error message', () => {
  const update: EntrySketch = {
    method: 'PATCH',
    url: `${api}/agent-profiles/${ids.profile}`,
    sent: { description: "' or 1=1; <script>" },
    body: { id: ids.profile },
  };
  const blocks = [
    json(403, { message: 'Forbidden' }),
    text(406, '<html>406</html>'),
    text(200, '<html>Blocked</html>'),
  ];

  test.each(blocks.map((block) => [block(update)]))(
    '%j met a firewall, if the same with other values is accepted',
    async (blocked) => {
      const run = await runOf({ ...update, sent: {} }, blocked);
      expect(run).toMatchObject({ requests: 1, unrecorded: 1 });
    },
  );

  test.each<[string, EntrySketch, EntrySketch]>([
    ['is never accepted', json(403, { message: 'Forbidden' })(update), other],
    ['violates the contract', text(406, '<html>406</html>')({ ...update, sent: { description: 5 } }), update],
    ['may be refused', json(400, { message: 'The name is taken.' })(update), update],
    ['is a reading', json(403, { message: 'Forbidden' })(read), read],
  ])('met the service, if it %s', async (_, refused, taken) => {
    expect(await runOf(taken, refused)).toMatchObject({ requests: 2, unrecorded: 0 });
  });
});

test('a unique message to the end is not judged, and a missing resource then is missing', async () => {
  const [own, shown] = [json(404, { message: 'Not found' }), json(404, { code: 404, message: 'Not found' })];
  expect(broken(await runOf(read, own(read), own(files)))).toEqual([]);
  expect(broken(await runOf(read, shown(read), shown(files)))).toEqual(['files-are-grouped']);
});

test('answers of an intermediary are no evidence that a caller did not read', async () => {
  const gateway = json(404, { message: 'no Route matched with those values' });
  const run = await runOf(start, read, gateway(read), gateway(files), other, { ...other, sent: undefined });
  expect(run.callers.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id)).not.toContain(
    'caller-follows-by-polling',
  );
});

test('a live listener gets violations at once, except those of changed answers', () => {
  const told: string[] = [];
  const live = new Live({ facts: unknownTarget, onViolation: ({ rule }) => told.push(rule) });
  let at = 1_770_000_000_000;
  const pass = (id: string, status: number, body: object) =>
    live.take(passed({ url: `${api}/executions/${id}`, status, body }, at++));
  pass(ids.execution, 200, running);
  pass(ids.execution, 404, { message: 'No route' });
  expect(told).not.toContain('simple-error-shape');
  pass(ids.workflow, 404, { message: 'No such thing' });
  expect(told).toContain('simple-error-shape');
});
