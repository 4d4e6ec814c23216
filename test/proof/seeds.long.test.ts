import { expect, it } from 'vitest';
import { falseAlarms } from '../../proof/seeds.js';

it('causes no false alarm on conformant services, with any seed: `npm run prove -- --seeds 200` tries more', async () => {
  expect(await falseAlarms(1)).toEqual([]);
});
