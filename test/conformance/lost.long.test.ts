/** Any request may be lost, and some always are. */
import { expect, test } from 'vitest';
import { TransportError } from '../../conformance/engine/http/transport.js';
import { asks, asksToStart } from '../../deviations/change.js';
import { checkInProcess } from '../../proof/in-process.js';
import { losingOne, losingSome, losses } from '../support/lossy.js';
import { usualTarget } from '../support/usual-run.js';

const seeds = Array.from({ length: 20 }, (_, seed) => seed);
test.each<keyof typeof losses>(['a page in its place', 'a connection that breaks after it'])(
  'wherever in a run a request meets %s, no rule is broken or inconclusive',
  async (how) => {
    const { requests } = await checkInProcess({});
    const turns = Math.floor(requests / seeds.length) - 1;
    for (let turn = 0; turn < turns; turn += 1) {
      const { gateway, lost } = losingOne(
        (_, sent) => sent.place === turn * seeds.length + 1 + (turn % seeds.length),
        how,
      );
      const { rules } = await checkInProcess({ gateway });
      const wrong = rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive');
      expect(
        wrong.map(({ id, verdict, why }) => `${id} ${verdict}: ${why}`),
        lost() ?? 'nothing lost',
      ).toEqual([]);
      expect(lost()).toBeDefined();
    }
  },
);

test.each(seeds)('behind a gateway that loses four of a hundred requests no rule is broken, seed %i', async (seed) => {
  const { rules } = await checkInProcess({ speed: 0.5, gateway: losingSome(4, seed) }, { seed });
  expect(rules.flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : []))).toEqual([]);
  expect(rules.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(rules.length - 10);
});

test.each([
  ['start', asksToStart, 'executions', 'execution'],
  ['duplication', (request: Request) => asks(request, 'duplicateProfile'), 'copies', 'profile'],
] as const)(
  'if the answer to each %s is lost, the run makes no more than the budget allows, and the report lists all of them',
  async (_, makes, budget, kind) => {
    const { [budget]: most } = usualTarget().facts.budget;
    for (const how of ['a page in place of its answer', 'a connection that breaks after it'] as const) {
      let made = 0;
      const { leftBehind } = await checkInProcess({
        gateway: (service) => async (request) => {
          const answer = await service(request);
          if (!makes(request) || !answer.ok) return answer;
          made += 1;
          return losses[how](request, async () => answer);
        },
      });
      expect(made, how).toBeGreaterThan(1);
      expect(made, how).toBeLessThanOrEqual(most);
      const unknown = leftBehind.filter((one) => one.kind === kind && one.id.startsWith('unknown'));
      expect(unknown.length, how).toBeGreaterThanOrEqual(made);
    }
  },
);

test('if no new connection is accepted for five seconds, the requests that need one wait, and every rule is judged', async () => {
  let refused = 0;
  const { rules } = await checkInProcess({ speed: 0.3 }, {}, (service, clock) => {
    const from = clock.now() + 1500;
    return async (request) => {
      const isAway = clock.now() > from && clock.now() < from + 5000;
      if (!request.newConnection || !isAway) return service(request);
      refused += 1;
      throw new TransportError('unreachable', 'The host name does not resolve (EAI_AGAIN).');
    };
  });
  expect(refused).toBeGreaterThan(2);
  expect(rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
});
