import { expect, test } from 'vitest';
import { checkInProcess } from '../../proof/in-process.js';

/** Looks at the id before the permission, and answers what it does not find with the status. */
const idFirst = (status: number) =>
  checkInProcess({}, {}, (service) => async (request) => {
    const response = await service(request);
    const made = !/\/[0-9a-f]0000\d{3}-0000-4000-8000-000000000000/.test(request.url);
    if (!made || ![403, 404].includes(response.status)) return response;
    return {
      ...response,
      status,
      bytes: new TextEncoder().encode(JSON.stringify({ code: status, message: 'not found' })),
    };
  });

test.each([400, 404])(
  'a service that answers %i before it looks at the permission is asked with real ids',
  async (status) => {
    const run = await idFirst(status);
    const rule = run.rules.find(({ id }) => id === 'insufficient-permission-is-403');
    expect(rule).toMatchObject({ verdict: 'passed', observations: 7 });
    const sent = run.evidence.exchanges.filter(({ mark }) => mark?.journey === 'restricted');
    expect(sent).toHaveLength(7);
    // Whoever lets it through changes nothing.
    const update = sent.find(({ operation }) => operation === 'updateProfile');
    expect(update?.request.body).toMatchObject({ value: { cookiesToAdd: [] } });
  },
);

test('a service that looks at the permission first is not', async () => {
  const run = await checkInProcess({});
  expect(run.evidence.exchanges.filter(({ mark }) => mark?.journey === 'restricted')).toEqual([]);
});
