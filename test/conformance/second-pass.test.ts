import { expect, it } from 'vitest';
import type { Run } from '../../conformance/check.js';
import { findFault } from '../../deviations/index.js';
import { numbers } from '../../deviations/variations/around/between.js';
import { checkInProcess } from '../../proof/in-process.js';
import { usualRun, usualTarget } from '../support/usual-run.js';

type Service = (request: Request) => Promise<Response>;

const reads = ({ method, url }: Request) => method === 'GET' && /executions\/[^/]+$/.test(url);
/** Changes the answers to some readings, counted from 1. */
const changing =
  (isChanged: (count: number) => boolean, change: (answer: Response) => Promise<Response>) => (service: Service) => {
    let count = 0;
    return async (request: Request) => {
      const answer = await service(request);
      if (!reads(request) || !answer.ok) return answer;
      count += 1;
      return isChanged(count) ? change(answer) : answer;
    };
  };
const withoutAgent = async (answer: Response) => {
  const { agentId: _, ...rest } = (await answer.json()) as Record<string, unknown>;
  return Response.json(rest);
};
const ofRule = ({ rules }: Run, rule: string) => rules.find(({ id }) => id === rule);
const scenariosOf = ({ evidence }: Run) => evidence.exchanges.map(({ mark }) => mark?.scenario);
const passes = (run: Run) => {
  const steps = run.evidence.exchanges.map(({ mark }) => `${mark?.scenario}/${mark?.step}`);
  return steps.filter((step) => step === 'preflight/read-unknown').length;
};

it('a run on a conformant service has one pass', async () => {
  expect(passes(await checkInProcess({}))).toBe(1);
});

it('a permanent fault is reproduced, and only the scenarios of its steps are repeated', async () => {
  const run = await checkInProcess({ faults: [findFault('descriptions-are-not-stored')] });
  expect(passes(run)).toBe(2);
  const { violations = [] } = ofRule(run, 'update-applies') ?? {};
  expect(violations.map(({ repeated }) => repeated)).toEqual(violations.map(() => 'reproduced'));
  const second = scenariosOf(run).slice(scenariosOf(run).lastIndexOf('preflight'));
  expect([...new Set(second)].toSorted()).toEqual(['preflight', 'profile', 'sweep']);
});

it('a violation of the first pass only is reported as seen once of two', async () => {
  const run = await checkInProcess({ gateway: changing((count) => count < 60, withoutAgent), latencyMs: 20 });
  const [violation] = ofRule(run, 'response-matches-schema')?.violations ?? [];
  expect(violation?.repeated).toBe('once-of-two');
});

it('a violation of a disturbed run that is not reproduced is inconclusive, with what to do', async () => {
  const target = usualTarget({ budget: { executions: 60 } });
  const limited = changing(
    (count) => count === 5,
    async () => Response.json({ code: 409, message: 'Busy.' }, { status: 409 }),
  );
  const gateway = (service: Service) => limited(changing((count) => count < 60, withoutAgent)(service));
  const { verdict, why = '' } =
    ofRule(await checkInProcess({ gateway, latencyMs: 20 }, { target }), 'response-matches-schema') ?? {};
  expect(verdict).toBe('inconclusive');
  expect(why).toMatch(/not when it was sent again .*the run was disturbed: 1 of \d+ answers .* To judge it, run again/);
});

it('a gateway that cuts each fourth answer, at random, is not taken for the service', async () => {
  const random = numbers(7);
  const run = await checkInProcess({
    gateway: (service) => async (request) => {
      const answer = await service(request);
      const text = await answer.text();
      return new Response(random() < 0.25 ? text.slice(0, text.length / 2) : text, answer);
    },
  });
  expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(run.rules.filter(({ why }) => why.includes('the run was disturbed'))).not.toEqual([]);
});

it('a violation by the use of a copy is reproduced with a copy of the first pass where the budget has none left', async () => {
  const faults = [findFault('runs-with-a-copy-show-its-source')];
  const run = await checkInProcess({ faults }, { target: usualTarget({ budget: { executions: 60 } }) });
  expect(ofRule(run, 'profile-is-recorded')?.violations[0]?.repeated).toBe('reproduced');
});

it('a violation that is not repeated has the reason', async () => {
  const faults = [findFault('copies-miss-the-last-cookies')];
  const target = usualTarget();
  const whyOf = async (more: object) =>
    ofRule(await checkInProcess({ faults }, { target, ...more }), 'duplicate-copies-cookies')?.violations[0];
  expect(await whyOf({})).toMatchObject({
    repeated: 'not-repeated',
    notRepeated: expect.stringContaining('no copy is left'),
  });
  expect(await whyOf({ secondPass: false })).toMatchObject({
    notRepeated: 'the second pass is switched off (--no-second-pass)',
  });
});

it('a run lasts at most three times as long where executions never show what they have to show', async () => {
  const [usual, lacking] = await Promise.all([usualRun(), usualRun({}, 'metadata-is-not-kept')]);
  expect(ofRule(lacking, 'metadata-is-shown')?.verdict).toBe('violated');
  expect(lacking.durationMs).toBeLessThan(3 * usual.durationMs);
});
