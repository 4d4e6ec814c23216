import { describe, expect, test } from 'vitest';
import { Live } from '../../../../conformance/engine/proxy/live.js';
import { MaskedValues } from '../../../../conformance/engine/recording/keyless.js';
import { judgeRecordings } from '../../../../conformance/engine/recording/pipeline.js';
import type { RecordedRun } from '../../../../conformance/engine/recording/recorded-run.js';
import { assembleRecording } from '../../../../conformance/engine/recording/report.js';
import { consoleReport } from '../../../../conformance/engine/report/console.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { conclude } from '../../../../conformance/engine/rule/verdicts.js';
import { reportFormats } from '../../../../conformance/engine/vocabulary/report.js';
import { unknownTarget } from '../../../../conformance/suite/target/target.js';
import { ids } from '../../../support/evidence.js';
import { entry, harOf, passed, running, source } from '../../../support/recordings.js';

describe('a secret is masked and searched for:', () => {
  test.each([
    ['authorization', 'Bearer abcdefgh', 'abcdefgh'],
    ['proxy-authorization', `Basic ${Buffer.from('me:open sesame').toString('base64')}`, 'open sesame'],
    ['cookie', 'theme=dark; sid=s%3Aabcdefgh.x', 's%3Aabcdefgh.x'],
    ['set-cookie', 'sid=qwertzuiop; Path=/agents/v2; HttpOnly', 'qwertzuiop'],
    ['x-amz-security-token', 'IQoJb3JpZ2luX2VjE', 'IQoJb3JpZ2luX2VjE'],
    ['ocp-apim-subscription-key', 'd41d8cd98f00b204', 'd41d8cd98f00b204'],
    ['x-session-id', 'c1a7a5b2-0000-4000-8000-000000000001', 'c1a7a5b2-0000-4000-8000-000000000001'],
    ['x-whatever', 'zQ81-abcdefghijk0', 'zQ81-abcdefghijk0'],
  ])('%s: %s', (name, value, secret) => {
    const takenOut = new MaskedValues();
    takenOut.note(name, value);
    expect(takenOut.text(`it was ${secret}, and "${secret}".`)).toBe('it was [redacted], and "[redacted]".');
    expect(takenOut.text(encodeURIComponent(secret))).toBe('[redacted]');
    expect(takenOut.mask({ a: [secret], [secret]: 1 })).toEqual({ a: ['[redacted]'], '[redacted]': 1 });
  });

  test.each([
    ['authorization', 'Bearer short'],
    ['cookie', 'sid=[redacted]; a=********'],
    ['x-api-key', 'undefined'],
    ['set-cookie', 'a=b; Path=/agents/v2; HttpOnly'],
    ['x-agent-id', ids.execution],
    ['x-forwarded-host', 'staging-2.example.com'],
    ['sec-fetch-mode', 'navigate'],
    ['x-forwarded-for', '192.168.100.200'],
    ['if-modified-since', 'Mon, 02 Mar 2026 12:00:00 GMT'],
  ])('a harmless value is kept: %s: %s', (name, value) => {
    const takenOut = new MaskedValues();
    takenOut.note(name, value);
    expect(takenOut.all).toEqual([]);
  });

  test('a secret is masked in the encodings of other values', () => {
    const takenOut = new MaskedValues();
    const forms = () => {
      const key = Buffer.from('K1sEcReTvalue12345');
      const percent = [...key].map((byte) => `%${byte.toString(16)}`).join('');
      return takenOut.mask([key.toString('base64'), key.toString('hex'), percent]);
    };
    expect(forms().join()).not.toContain('redacted');
    takenOut.note('x-api-key', 'K1sEcReTvalue12345');
    expect(forms()).toEqual([expect.stringMatching(/^\[redacted\]=*$/), '[redacted]', '[redacted]']);
  });

  test('of two secrets with the same beginning, the longer one is masked', () => {
    const takenOut = new MaskedValues();
    takenOut.add(['abcdefgh', 'abcdefghij', 'ghijklmnop']);
    expect(takenOut.text('abcdefghijklmnop abcdefgh')).toBe('[redacted]klmnop [redacted]');
  });

  test('secrets without a number are masked as far as there is room', () => {
    const takenOut = new MaskedValues();
    for (let at = 0; at < 20_000; at += 1) {
      takenOut.note('x-trace', `a1b2c3d4e5f6a7b8${at}`);
      takenOut.note('authorization', `Bearer token-${at}`);
    }
    expect(takenOut.all.length).toBeLessThan(5_000);
    expect(takenOut.text('token-0 is among them: Bearer token-17')).not.toContain('token-17');
  });
});

const [token, session, signature] = ['tok-EN/0a+b=c1d2', 'sess_0123456789', 'c2lnbmF0dXJl'];
/** Answers repeat what came with other requests than theirs, and violate rules by what they repeat. */
const har = harOf(
  entry({ body: { ...running, status: `by ${token}`, agentName: session, createdAt: `at ${signature}` } }),
  entry({
    at: '2026-03-02T12:00:01.000Z',
    url: `https://api.example.com/agents/v2/executions/${ids.workflow}?sig=${signature}`,
    headers: { Authorization: `Bearer ${token}`, Cookie: `a=b; sid=${session}` },
    status: 404,
    body: { code: 404, message: `No execution for ${session}.` },
  }),
);

function texts(run: RecordedRun): string {
  const report = assembleRecording(run, conclude(run, { today: '2026-11-20' }));
  return [consoleReport(report), ...reportFormats.map((format) => writeReport(format, report))].join('\n');
}

const shows = (text: string) =>
  [token, session, signature]
    .flatMap((one) => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)])
    .filter((one) => text.includes(one));

test('no report of a recording repeats a masked value of another exchange', async () => {
  const run = await judgeRecordings([source(har)]);
  // It was judged as it came.
  const broken = run.rules.find(({ id }) => id === 'response-matches-schema');
  expect(broken?.verdict).toBe('violated');
  const text = texts(run);
  expect(text).toContain('by [redacted]');
  expect(shows(text)).toEqual([]);
});

test('no report of a recording contains the secrets of a profile', async () => {
  const secrets = { value: 'S3cret-of-a-cookie', data: 'totp:JBSWY3DPEHPK3PXP', password: 'pass of the proxy' };
  const { value, data, password } = secrets;
  const sent = { credentialsToAdd: [{ name: 'Portal', data }], customProxy: { password } };
  const credentials = [{ name: 'Portal', data: `${data}, of Portal` }];
  const patch = entry({
    method: 'PATCH',
    url: `https://api.example.com/agents/v2/agent-profiles/${ids.profile}`,
    sent,
    body: { ...sent, cookies: [{ value }, { value: 'ab' }], credentials },
  });
  const text = texts(await judgeRecordings([source(harOf(patch))]));
  expect(text).toContain('[masked');
  expect(Object.values(secrets).filter((one) => text.includes(one))).toEqual([]);
  expect(text).not.toMatch(/"value\\?": ?\\?"ab/);
});

test('no output and no recording of a proxy does', () => {
  const [told, recorded]: [string[], string[]] = [[], []];
  const live = new Live({
    facts: unknownTarget,
    onViolation: (violation) => told.push(JSON.stringify(violation)),
    record: (line) => recorded.push(line),
  });
  const pass = (body: object) =>
    live.take(
      passed({ headers: { Authorization: `Bearer ${token}` }, body }, 1_770_000_000_000 + recorded.length * 1000),
    );
  pass(running);
  pass({ ...running, status: `by ${token}` });
  const all = [...told, ...recorded, texts(live.finish())].join('\n');
  expect(recorded).toHaveLength(2);
  expect(told.join()).toContain('by [redacted]');
  expect(shows(all)).toEqual([]);
});

test('no output of a proxy contains the secrets of a profile', () => {
  const told: string[] = [];
  const live = new Live({ facts: unknownTarget, onViolation: (violation) => told.push(JSON.stringify(violation)) });
  const [portal, mail] = ['totp:JBSWY3DPEHPK3PXP', 'hunter2-of-the-mail'];
  const named = (...data: string[]) => ['Portal', 'Mail'].map((name, at) => ({ name, data: data[at] }));
  const url = `https://api.example.com/agents/v2/agent-profiles/${ids.profile}`;
  const sent = { credentialsToAdd: named(portal, mail) };
  const body = { id: ids.profile, cookies: [], credentials: named(mail, portal) };
  live.take(passed({ method: 'PATCH', url, sent, body }, 1_770_000_000_000));
  live.finish();
  expect(told.join()).toContain('"credentials-are-added"');
  expect([portal, mail].filter((secret) => told.join().includes(secret))).toEqual([]);
});
