import { describe, expect, test } from 'vitest';
import { RecordingError } from '../../../../conformance/engine/recording/raw.js';
import { assembleRecording } from '../../../../conformance/engine/recording/report.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { conclude } from '../../../../conformance/engine/rule/verdicts.js';
import { reportFormats } from '../../../../conformance/engine/vocabulary/report.js';
import { ids } from '../../../support/evidence.js';
import { type EntrySketch, entry, harOf, judged, lines, running, start } from '../../../support/recordings.js';

/** What JSON can say in the place of anything: none of it may be more than a mistake of the recording, or of the service. */
const odd: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, '', 'x', '\u0000', '\ud800', '__proto__', '%zz', '9999-99-99'],
  ...[[], [[]], [null], [[[5]]], {}, { toString: 1 }, { length: 3 }, JSON.parse('{"__proto__":{"x":1}}')],
  JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
];

const profile = `https://api.example.com/agents/v2/agent-profiles/${ids.profile}`;
const shown = {
  id: ids.profile,
  name: 'A profile',
  organizationId: ids.workflow,
  cookies: [{ name: 'a', value: 'b' }],
  credentials: [{ id: ids.pool, name: 'a' }],
};
const sketches: readonly EntrySketch[] = [
  start,
  {},
  { body: { ...running, status: 'completed', executionResult: { a: 1 }, duration: 5, inputs: { a: 1 } } },
  { url: `${entry().request.url}/files`, body: { directories: { download: [{ id: ids.pool, fileName: 'a.txt' }] } } },
  { method: 'PATCH', url: profile, sent: { cookiesToAdd: [{ name: 'a', value: 'b' }] }, body: shown },
  { method: 'POST', url: `${profile}/duplicate`, body: { ...shown, id: ids.pool }, status: 201 },
  { status: 404, body: { code: 404, message: 'No.' } },
  { more: { response: { status: 0 }, _error: 'net::ERR_FAILED' } },
];
const all = sketches.map((sketch, turn) =>
  entry({
    at: `2026-03-02T12:00:0${turn}.500Z`,
    ...sketch,
    more: { timings: { blocked: 1, wait: 5 }, ...sketch.more },
  }),
);
const asLine = (of: ReturnType<typeof entry>) => ({
  at: of.startedDateTime,
  durationMs: of.time,
  request: {
    method: of.request.method,
    url: of.request.url,
    headers: { Host: 'a', 'X-Api-Key': 'a-secret-key' },
    body: of.request.postData ? { kind: 'text', text: of.request.postData.text } : { kind: 'none' },
  },
  ...(of.response.status === 0
    ? { failure: { kind: 'timeout', message: 'none' } }
    : {
        response: {
          status: of.response.status,
          headers: { 'Content-Type': 'application/json' },
          body: { kind: 'json', value: JSON.parse(of.response.content.text) },
        },
      }),
});

type Parts = Record<string, unknown>;
const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** The value with something else in each of its places, in turn. */
function* otherwise(value: unknown, other: unknown): Generator<unknown> {
  yield other;
  if (!isParts(value)) return;
  for (const name of Object.keys(value))
    for (const part of otherwise(value[name], other)) {
      const changed = Array.isArray(value) ? [...value] : { ...value };
      (changed as Parts)[name] = part;
      yield changed;
    }
}

/** An entry whose bodies say something else. */
function* saysOtherwise(of: ReturnType<typeof entry>, other: unknown): Generator<unknown> {
  if (of.response.status > 0)
    for (const body of otherwise(JSON.parse(of.response.content.text), other))
      yield { ...of, response: { ...of.response, content: { text: JSON.stringify(body) } } };
  const { postData } = of.request;
  if (postData)
    for (const body of otherwise(JSON.parse(postData.text), other))
      yield { ...of, request: { ...of.request, postData: { text: JSON.stringify(body) } } };
}

const forms: readonly [
  string,
  (value: readonly unknown[]) => string,
  (of: (typeof all)[number], other: unknown) => Iterable<unknown>,
][] = [
  ['of a HAR', (values) => harOf(...values), otherwise],
  ['of a line', (values) => lines(...values), (of, other) => otherwise(asLine(of), other)],
  ['of a body', (values) => lines(...values), saysOtherwise],
];

describe.each(forms)('if any part %s is replaced, the recording is judged or refused in words:', (_, write, each) => {
  test.each(odd.map((other) => [JSON.stringify(other).slice(0, 30), other]))('%s', async (_, other) => {
    let [right, wrong] = [0, 0];
    for (const [place, one] of all.entries())
      for (const changed of each(one, other)) {
        const values = all.map((own, at) => (at === place ? changed : own));
        const run = await judged(write(values)).catch((error: unknown) => error);
        if (run instanceof Error) {
          expect(run).toBeInstanceOf(RecordingError);
          wrong += 1;
        } else {
          const report = assembleRecording(run as never, conclude(run as never, { today: '2026-03-03' }));
          for (const format of reportFormats.filter((one) => one !== 'html'))
            expect(writeReport(format, report)).not.toContain('a-secret-key');
          right += 1;
        }
      }
    expect(right + wrong).toBeGreaterThan(10);
  });
});
