import { expect, test } from 'vitest';
import { accepted } from '../../conformance/engine/outcome/read.js';
import { checkInProcess } from '../../proof/in-process.js';
import { oneWorkflow, usualTarget } from '../support/usual-run.js';

const target = usualTarget({ ...oneWorkflow, allow: 'execute' });

/** Refuses soft timeouts, and says so or not. */
const withoutSoftTimeouts = (errors: readonly object[]) =>
  checkInProcess(
    {
      gateway: (service) => async (request) =>
        /\/execute$/.test(request.url) && (await request.clone().text()).includes('softTimeoutMins')
          ? Response.json({ code: 400, message: 'No.', errors }, { status: 400 })
          : service(request),
    },
    { target },
  );

test('a start is not repeated for lack of capacity if its refusal names another field', async () => {
  const tries = async (errors: readonly object[]) => {
    const { evidence } = await withoutSoftTimeouts(errors);
    const all = evidence.exchanges.filter(
      (one) => one.operation === 'execute' && JSON.stringify(one.request.body).includes('softTimeoutMins'),
    );
    expect(all.some(accepted)).toBe(false);
    return all.length;
  };
  const named = await tries([{ parameter: 'executionOptions.softTimeoutMins', detail: 'is too long' }]);
  expect(named).toBeGreaterThan(0);
  expect(await tries([])).toBeGreaterThan(named);
});
