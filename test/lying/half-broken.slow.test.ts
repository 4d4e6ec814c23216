import { describe, expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import type { Transport, WireResponse } from '../../conformance/engine/http/transport.js';
import { conclude } from '../../conformance/engine/rule/conclude.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { checkInProcess } from '../../proof/in-process.js';
import type { VirtualClock } from '../../proof/virtual-clock.js';
import { createReference } from '../../reference/index.js';
import { startsAlone, usualTarget } from '../support/usual-run.js';

const exitCode = (run: Run) => conclude(run, { today: '2026-01-01' }).exitCode;
const violated = (run: Run) => run.rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
const json = (status: number, body: unknown, headers = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  bytes: new TextEncoder().encode(JSON.stringify(body)),
});

describe('a service that is right, behind something that is not', () => {
  /** Lets two requests a second through, and asks the others to come back. */
  const limited = (service: Transport, clock: VirtualClock): Transport => {
    let free = clock.now();
    return (request) => {
      const now = clock.now();
      if (now < free) return Promise.resolve(json(429, { code: 429, message: 'slow down' }, { 'retry-after': '1' }));
      free = now + 500;
      return service(request);
    };
  };

  test('a rate limit is obeyed: nothing is called wrong, and nothing the limit refused is judged', async () => {
    const { target } = createReference();
    const patient = toTarget({ ...target, allow: 'execute', pace: { ...target.pace, patienceSeconds: 600 } });
    // Runs are slow here, so that states last longer than the limit makes the suite wait.
    const run = await checkInProcess({ speed: 0.005 }, { target: patient }, limited);
    expect(violated(run)).toEqual([]);
    const refused = run.evidence.exchanges.filter(({ mark }) => mark?.excluded);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused.length).toBeLessThan(run.evidence.exchanges.length / 5);
    expect(
      run.evidence.exchanges.some(
        ({ response, mark }) => response?.status === 429 && !mark?.excluded && mark?.journey !== 'capacity',
      ),
    ).toBe(false);
  });

  test('a deploy in mid-run is told', async () => {
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

  test('answers of another execution are seen through', async () => {
    const mixedUp = (service: Transport): Transport => {
      let first: WireResponse | undefined;
      return async (request) => {
        const response = await service(request);
        if (request.method !== 'GET' || response.status !== 200 || request.url.endsWith('/files')) return response;
        first ??= response;
        return first;
      };
    };
    const run = await checkInProcess({}, { target: usualTarget(startsAlone) }, mixedUp);
    expect(exitCode(run)).toBe(1);
    expect(violated(run)).toContain('execution-is-the-one-asked-for');
  });
});
