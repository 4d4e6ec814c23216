import { expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import type { Transport, WireResponse } from '../../conformance/engine/http/transport.js';
import { checkInProcess } from '../../proof/in-process.js';
import type { VirtualClock } from '../../proof/virtual-clock.js';
import { usualTarget } from '../support/usual-run.js';

const violated = (run: Run) => run.rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
const json = (status: number, body: unknown, headers = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  bytes: new TextEncoder().encode(JSON.stringify(body)),
});

test('a deployment during a run is reported', async () => {
  const deploy = (service: Transport, clock: VirtualClock): Transport => {
    const began = clock.now();
    return (request) => {
      const since = clock.now() - began;
      return since > 500 && since < 3500
        ? Promise.resolve(json(500, { code: 500, message: 'restarting' }))
        : service(request);
    };
  };
  const run = await checkInProcess({}, { target: usualTarget({ allow: 'execute' }) }, deploy);
  expect(violated(run)).toEqual(['no-server-errors']);
  expect(run.rules.filter(({ verdict }) => verdict === 'inconclusive').length).toBeGreaterThan(0);
});
