import { expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import type { Transport, WireResponse } from '../../conformance/engine/http/transport.js';
import type { VirtualClock } from '../../conformance/engine/send/clock.js';
import { checkInProcess } from '../../proof/in-process.js';
import { usualTarget } from '../support/usual-run.js';

const violated = (run: Run) => run.rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
const json = (status: number, body: unknown, headers = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  bytes: new TextEncoder().encode(JSON.stringify(body)),
});

test('a deployment during a run leaves rules inconclusive, and the second pass decides more of them', async () => {
  const deploy = (service: Transport, clock: VirtualClock): Transport => {
    const began = clock.now();
    return (request) => {
      const since = clock.now() - began;
      return since > 500 && since < 3500
        ? Promise.resolve(json(500, { code: 500, message: 'restarting' }))
        : service(request);
    };
  };
  const target = usualTarget({ allow: 'execute' });
  const run = await checkInProcess({}, { target, secondPass: false }, deploy);
  expect(violated(run)).toEqual(['no-server-errors']);
  const undecided = run.rules.filter(({ verdict }) => verdict === 'inconclusive');
  expect(undecided.length).toBeGreaterThan(0);
  const twice = await checkInProcess({}, { target }, deploy);
  expect(twice.rules.filter(({ verdict }) => verdict === 'inconclusive').length).toBeLessThan(undecided.length);
});
