import { describe, expect, it } from 'vitest';
import type { Run } from '../../conformance/check.js';
import { consoleReport } from '../../conformance/engine/report/console.js';
import { assemble, json, readReport } from '../../conformance/engine/report/json.js';
import { markdown } from '../../conformance/engine/report/markdown.js';
import { planText } from '../../conformance/engine/report/plan.js';
import { conclude } from '../../conformance/engine/rule/verdicts.js';
import { quiet } from '../../conformance/engine/send/recorder.js';
import { plan } from '../../conformance/plan.js';
import { atMost } from '../../conformance/soak.js';
import { checkInProcess } from '../../proof/in-process.js';
import { usualTarget } from '../support/usual-run.js';

type Service = (request: Request) => Promise<Response>;

const pace = { requestsPerSecond: 50 };
/** A service that nothing is started on. */
const still = usualTarget({ allow: 'write', budget: { executions: 0 }, pace });
const soakMs = 20_000;
/** Is called once the soak has begun. */
const atSoak = (begin: () => void) => ({ ...quiet, started: (scenario: string) => scenario === 'soak' && begin() });

const reads = ({ method, url }: Request) => method === 'GET' && /executions\/[^/]+$/.test(url);
/** In the soak, every nth of these answers is another one. */
function inSoak(nth: number, isMeant: (request: Request) => boolean, other: (answer: Response) => Promise<Response>) {
  let count = Number.NEGATIVE_INFINITY;
  return {
    progress: atSoak(() => {
      count = 0;
    }),
    gateway: (service: Service) => async (request: Request) => {
      const answer = await service(request);
      if (isMeant(request)) count += 1;
      return isMeant(request) && count % nth === 0 ? other(answer) : answer;
    },
  };
}
const withoutAgent = async (answer: Response) => {
  const { agentId: _, ...rest } = (await answer.json()) as Record<string, unknown>;
  return Response.json(rest, { status: answer.status });
};
const page = async () =>
  new Response('<html>Bad gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } });
const ratesOf = ({ soak }: Run, rule: string, operation: string) =>
  soak?.rates.find((one) => one.rule === rule && one.operation === operation);

describe('a soak', () => {
  it('sends again what starts nothing and deletes no pool, and bounds the rate of what is not violated', async () => {
    const requests: string[] = [];
    const run = await checkInProcess({}, { target: usualTarget({ pace }), soakMs }, (service) => (request) => {
      requests.push(`${request.newConnection === true} ${request.mark.step}`);
      return service(request);
    });
    const alone = await checkInProcess({}, { target: usualTarget({ pace }) });
    expect(run.rules.map(({ id, verdict }) => [id, verdict])).toEqual(
      alone.rules.map(({ id, verdict }) => [id, verdict]),
    );
    expect(run.executionsStarted).toBe(alone.executionsStarted);
    expect(run.evidence.exchanges.length).toBe(alone.evidence.exchanges.length);
    expect(run.requests - alone.requests).toBe(run.soak?.requests);
    expect(run.durationMs - alone.durationMs).toBeCloseTo(soakMs, -3);
    const soaked = requests.slice(alone.requests);
    expect(soaked.length).toBeGreaterThan(900);
    expect(soaked.filter((one) => !one.startsWith('true'))).toEqual([]);
    expect(requests.filter((one) => one === 'true delete')).toHaveLength(1);
    const rate = ratesOf(run, 'response-matches-schema', 'getExecution');
    expect(rate?.of).toBeGreaterThan(40);
    expect(rate).toMatchObject({ broken: 0, rate: 0, atMost: Number(atMost(0, rate?.of ?? 1).toFixed(5)) });
  });

  it('finds a fault that comes at a rate after the passes, and shows how often it came', async () => {
    const { gateway, progress } = inSoak(20, reads, withoutAgent);
    const target = usualTarget({ pace });
    const run = await checkInProcess({ gateway }, { target, soakMs, progress });
    const rate = ratesOf(run, 'response-matches-schema', 'getExecution');
    expect(rate?.broken).toBeGreaterThan(1);
    const rule = run.rules.find(({ id }) => id === 'response-matches-schema');
    expect(rule?.verdict).toBe('violated');
    const shown = rule?.violations[0]?.exchanges ?? [];
    expect(run.evidence.exchanges.filter(({ id }) => shown.includes(id))).toHaveLength(shown.length);
    const report = assemble(run, conclude(run, { today: '2026-01-01' }), target.facts);
    const row = `response-matches-schema +getExecution +${rate?.broken} of ${rate?.of} +[\\d.]+ % +[\\d.]+ %`;
    expect(consoleReport(report)).toMatch(new RegExp(row));
    expect(markdown(report)).toContain(`${rate?.broken} of ${rate?.of}`);
    expect(readReport([...json(report)].join(''), 'report.json').soak).toEqual(run.soak);
  });

  it('blames no service for a gateway that fails at a rate', async () => {
    const { gateway, progress } = inSoak(20, () => true, page);
    const run = await checkInProcess({ gateway }, { target: still, soakMs: 40_000, progress });
    expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    expect(run.soak?.rates.filter(({ broken }) => broken > 0)).toEqual([]);
    expect(run.soak?.requests).toBeGreaterThan(500);
  });

  it('ends at once when the run is stopped, with what was seen', async () => {
    const stop = new AbortController();
    const steps: string[] = [];
    const progress = {
      ...quiet,
      step(scenario: string, text: string) {
        if (scenario === 'soak' && steps.push(text) > 700) stop.abort();
      },
    };
    const run = await checkInProcess({}, { target: still, soakMs: 3_600_000, signal: stop.signal, progress });
    expect(steps[0]).toMatch(/^0 of 3600 s: \d+ requests, 0 rules violated$/);
    expect(run.stopped).toBeUndefined();
    expect(run.soak?.durationMs).toBeLessThan(60_000);
    expect(run.soak?.rates.length).toBeGreaterThan(0);
    const last = run.rules.filter(({ verdict }) => verdict === 'violated');
    expect(last).toEqual([]);
  });

  it('ends with the time of the run, which is not incomplete then', async () => {
    const run = await checkInProcess({}, { target: still, soakMs: 40_000, maxTimeMs: 41_000 });
    expect(run.soak?.durationMs).toBeLessThan(40_000);
    expect(run.stopped).toBeUndefined();
  });

  it('is in the plan', async () => {
    const text = planText(await plan(still), still.facts, { soakMs });
    expect(text).toContain('For 20 s (--soak), what starts no execution would be sent again.');
  });
});

describe('the bound of a rate', () => {
  // By R: prop.test(x, n, correct = FALSE)$conf.int[2], which is Wilson's.
  it.each([
    [0, 480, 0.0079],
    [1, 4, 0.6994],
    [24, 480, 0.0733],
    [10, 10, 1],
  ])('is the upper end of the interval of Wilson: %i of %i', (broken, of, bound) => {
    expect(atMost(broken, of)).toBeCloseTo(bound, 4);
  });
});
