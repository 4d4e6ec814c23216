import { describe, expect, test } from 'vitest';
import type { Transport } from '../../conformance/engine/http/transport.js';
import { consoleReport } from '../../conformance/engine/report/console.js';
import { writeReport } from '../../conformance/engine/report/index.js';
import { assemble } from '../../conformance/engine/report/json.js';
import { conclude } from '../../conformance/engine/rule/verdicts.js';
import { reportFormats } from '../../conformance/engine/vocabulary/report.js';
import { judging, profileAlone, stage, unjudged } from '../support/interrupted.js';

/** A run and all that is written of it. */
async function reports(declared: Record<string, unknown>, between?: (service: Transport) => Transport, more = {}) {
  const { run, target, profile, close } = stage({}, { ...profileAlone, ...declared }, between);
  const before = (await profile()) as {
    cookies?: { value: string }[];
    credentials?: { data: string }[];
  };
  const outcome = await run(undefined, more);
  await close();
  if (!outcome) throw new Error('The run did not end.');
  const report = assemble(outcome, conclude(outcome, { today: '2026-01-01' }), target.facts);
  return {
    outcome,
    secrets: [
      ...(before.cookies ?? []).map(({ value }) => value),
      ...(before.credentials ?? []).map(({ data }) => data),
    ],
    texts: [consoleReport(report), ...reportFormats.map((format) => writeReport(format, report))],
    broken: outcome.rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id),
  };
}

const key = 'a-key/that+nobody&may<see>';

/** Ways in which a target may repeat a key. */
const writings: readonly ((text: string) => string)[] = [
  (text) => [...text].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join(''),
  encodeURIComponent,
  (text) => Buffer.from(text).toString('base64'),
];

/** A gateway that repeats the key of the request in every answer that it refuses, in all ways by turns. */
const echoing = (service: Transport): Transport => {
  let count = 0;
  return async (request) => {
    const answer = await service({ ...request, headers: { ...request.headers, 'x-service-agents-api-key': 'test' } });
    const write = writings[count++ % writings.length] ?? String;
    return {
      ...answer,
      bytes: new TextEncoder().encode(`{"code":${answer.status},"message":"${write(key)} is wrong"}`),
    };
  };
};

describe('no report contains', () => {
  test('a key that the target repeats in any encoding, and the rule about it is violated', async () => {
    const { texts, outcome } = await reports({ apiKeys: { primary: key } }, echoing);
    for (const text of texts) {
      for (const one of [key, ...writings.map((write) => write(key))]) expect(text).not.toContain(one);
      expect(text).not.toContain(Buffer.from(key).toString('base64').slice(0, 20));
    }
    const { exchanges } = outcome.evidence;
    expect(exchanges.length).toBeGreaterThanOrEqual(writings.length);
    expect(exchanges.filter(({ response }) => !response?.repeatsKey)).toEqual([]);
  });

  test("the values of the profile's own cookies and credentials, nor the signature of a signed URL, unless they are requested", async () => {
    const signature = '9f86d081884c7d659a2feaa0c55ad015';
    const link = `https://files.example.com/x?X-Amz-Expires=900&X-Amz-Signature=${signature}`;
    const signing =
      (service: Transport): Transport =>
      async (request) => {
        const answer = await service(request);
        const text = new TextDecoder().decode(answer.bytes);
        if (!text.startsWith('{')) return answer;
        const body = { ...JSON.parse(text), extra: { note: `see ${link}` } };
        return {
          ...answer,
          headers: { ...answer.headers, link },
          bytes: new TextEncoder().encode(JSON.stringify(body)),
        };
      };
    const { texts, secrets, broken } = await reports({}, signing);
    expect(secrets.length).toBeGreaterThan(1);
    expect(broken).toEqual([]);
    for (const text of texts) for (const secret of [...secrets, signature]) expect(text).not.toContain(secret);
    expect(texts.join()).toContain('[masked 1]');
    expect(texts.join()).toContain('X-Amz-Signature=[signed ');
    const shown = (await reports({}, signing, { ...unjudged, showValues: true })).texts.join();
    for (const secret of [...secrets, signature]) expect(shown).toContain(secret);
  });
});

test('request headers that answers may repeat; they violate no rule', async () => {
  const headers = { 'X-Debug': 'true', 'X-Session-Token': 'b0000001-0000-4000-8000-000000000000' };
  const { broken, texts } = await reports({ headers }, undefined, judging('no-secrets-in-responses'));
  expect(broken).toEqual([]);
  expect(texts.join()).toContain('X-Debug');
});
