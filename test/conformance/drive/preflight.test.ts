import { expect, test } from 'vitest';
import { Driver } from '../../../conformance/drive/driver.js';
import { preflight } from '../../../conformance/drive/preflight.js';
import { quiet } from '../../../conformance/drive/progress.js';
import { key, talkingTo } from '../../support/session.js';

test('a base URL with a percent sign that encodes nothing is called as it is', async () => {
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
  [403, { primary: key }, 'The key may not even read: every request is answered 403.'],
  [401, {}, 'No API key is given in apiKeys.primary: every request is answered 401.'],
  [403, {}, 'No API key is given in apiKeys.primary: every request is answered 403.'],
])('where all is answered %i to the keys %j, it is said why', async (status, apiKeys, reason) => {
  const { session, clock } = talkingTo(() => ({ status, json: { code: status, message: 'm' } }), { apiKeys });
  const found = await clock.run(preflight(new Driver(session, 'preflight', quiet)));
  expect(found).toEqual({ usable: false, reason });
});
