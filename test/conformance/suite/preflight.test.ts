import { expect, test } from 'vitest';
import { isExcluded, isUnjudged } from '../../../conformance/engine/outcome/mark.js';
import { quiet } from '../../../conformance/engine/send/recorder.js';
import { Driver } from '../../../conformance/suite/driver.js';
import { preflight } from '../../../conformance/suite/preflight.js';
import { key, talkingTo } from '../../support/session.js';

test('a base URL with a percent sign that encodes nothing is used as it is', async () => {
  const { session, clock, sent } = talkingTo(
    () => ({ status: 404, json: { code: 404, message: '/a%zz is not here' } }),
    {
      baseUrl: 'http://target.test/a%zz',
    },
  );
  const found = await clock.run(preflight(new Driver(session, 'preflight', quiet)));
  expect(found).toMatchObject({ usable: false });
  expect(sent[0]?.url).toMatch(/^http:\/\/target\.test\/a%zz\//);
});

test.each([
  [401, { primary: key }, 'The key is refused: every request is answered 401.'],
  [403, { primary: key }, 'The key has no permission even to read: every request is answered 403.'],
  [401, {}, 'No API key is given in apiKeys.primary: every request is answered 401.'],
  [403, {}, 'No API key is given in apiKeys.primary: every request is answered 403.'],
])('if all answers are %i to the keys %j, the reason is named', async (status, apiKeys, reason) => {
  const { session, clock } = talkingTo(() => ({ status, json: { code: status, message: 'm' } }), { apiKeys });
  const found = await clock.run(preflight(new Driver(session, 'preflight', quiet)));
  expect(found).toEqual({ usable: false, reason });
});

test.each([
  ['basic authentication', 401, { 'www-authenticate': 'Basic realm="staging"' }, ''],
  ['a redirect', 302, { location: 'https://id.example.com/oauth2/authorize?client_id=1' }, ''],
  ['a page', 200, { 'content-type': 'text/html' }, '<html><form action="/login"><h1>Sign in</h1></form></html>'],
])('a login before the key is named: %s', async (_, status, headers, text) => {
  const { session, clock } = talkingTo(() => ({ status, headers, bytes: new TextEncoder().encode(text) }));
  const found = await clock.run(preflight(new Driver(session, 'preflight', quiet)));
  expect(found).toMatchObject({
    usable: false,
    reason: expect.stringMatching(/by a gateway that asks for a login before the key: set what it takes under headers/),
  });
});

test.each([
  ['with Retry-After', 503, { 'retry-after': '1' }],
  ['without Retry-After', 503, {}],
  ['with failures before', 500, {}],
])('a service %s is waited for, as long as the patience', async (_, status, headers) => {
  let from: number | undefined;
  const away = (now: number, ms: number) => {
    from ??= now;
    return now - from < ms;
  };
  const stage = (ms: number) => {
    from = undefined;
    const { session, clock } = talkingTo(
      ({ mark }) => {
        if (away(clock.now(), ms))
          return {
            status,
            headers: { 'content-type': 'application/json', ...headers },
            json: { code: status, message: 'Starting.' },
          };
        if (mark.credential === 'none') return { status: 401, json: { code: 401, message: 'No key.' } };
        return { status: 404, json: { code: 404, message: 'No such execution.' } };
      },
      { pace: { patienceSeconds: 20 } },
    );
    return clock.run(preflight(new Driver(session, 'preflight', quiet)));
  };
  expect(await stage(8000)).toEqual({ usable: true });
  const gone = await stage(600_000).catch(({ message }: Error) => ({ usable: false, reason: message }));
  expect(gone).toMatchObject({ usable: false, reason: expect.stringContaining(String(status)) });
});

test('a service that is away behind a gateway that checks the keys is waited for', async () => {
  const { session, clock } = talkingTo(
    ({ mark }) => {
      const status = mark.credential === 'none' ? 401 : clock.now() < until ? 500 : 404;
      return { status, json: { code: status, message: 'm' } };
    },
    { pace: { patienceSeconds: 20 } },
  );
  const until = clock.now() + 8000;
  const driver = new Driver(session, 'preflight', quiet);
  expect(await clock.run(preflight(driver))).toEqual({ usable: true });
  expect(clock.now()).toBeGreaterThanOrEqual(until);
  const failed = session.sent.filter(({ response }) => response?.status === 500);
  expect(failed.length).toBeGreaterThan(3);
  expect(failed.filter((one) => !isExcluded(one) && !isUnjudged(one))).toEqual([]);
});

test('a service that fails at unknown ids only is not waited for', async () => {
  const { session, clock } = talkingTo(
    ({ url }) => {
      const status = url.includes('not-a-uuid') ? 400 : 500;
      return { status, json: { code: status, message: 'm' } };
    },
    { pace: { patienceSeconds: 60 } },
  );
  const since = clock.now();
  expect(await clock.run(preflight(new Driver(session, 'preflight', quiet)))).toEqual({ usable: true });
  expect(clock.now() - since).toBeLessThan(12_000);
});
