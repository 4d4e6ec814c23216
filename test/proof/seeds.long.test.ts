import { expect, it } from 'vitest';
import { falseAlarms } from '../../proof/seeds.js';

it('raises no alarm on conformant services, whatever the seed: `npm run prove -- --seeds 200` tries more', async () => {
  expect(await falseAlarms(1)).toEqual([]);
});
