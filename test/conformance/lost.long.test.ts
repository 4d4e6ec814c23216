/** Any request may be lost, and some always are. */
import { expect, test } from 'vitest';
import { checkInProcess } from '../../proof/in-process.js';
import { losingOne, losingSome, type losses } from '../support/lossy.js';

const seeds = Array.from({ length: 20 }, (_, seed) => seed);
test.each<keyof typeof losses>(['a page in its place', 'a connection that breaks after it'])(
  'wherever in a run a request meets %s, no rule is called broken or left in doubt',
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

test.each(seeds)(
  'behind a gateway that loses four of a hundred requests no rule is called broken, seed %i',
  async (seed) => {
    const { rules } = await checkInProcess({ speed: 0.5, gateway: losingSome(4, seed) }, { seed });
    expect(rules.flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : []))).toEqual([]);
    expect(rules.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(rules.length - 10);
  },
);
