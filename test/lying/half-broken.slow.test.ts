import { describe, expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import type { Transport, WireResponse } from '../../conformance/engine/http/transport.js';
import { conclude } from '../../conformance/engine/rule/conclude.js';
import { checkInProcess } from '../../proof/in-process.js';
import type { VirtualClock } from '../../proof/virtual-clock.js';
import { startsAlone, usualTarget } from '../support/usual-run.js';

const exitCode = (run: Run) => conclude(run, { today: '2026-01-01' }).exitCode;
const violated = (run: Run) => run.rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
const json = (status: number, body: unknown, headers = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  bytes: new TextEncoder().encode(JSON.stringify(body)),
});

describe('a service that is right, behind something that is not', () => {
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
