/** What becomes of a run if all answers of a kind, or all new connections of a while, are lost. */
import { expect, test } from 'vitest';
import { TransportError } from '../../conformance/engine/http/transport.js';
import { asks, asksToStart } from '../../deviations/change.js';
import { checkInProcess } from '../../proof/in-process.js';
import { losses } from '../support/lossy.js';
import { usualTarget } from '../support/usual-run.js';

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
  expect(refused).toBeGreaterThan(0);
  expect(rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
});
