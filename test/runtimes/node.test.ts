import { afterAll, beforeAll, test } from 'vitest';
import { cases } from './cases.js';
import { type Rig, startRig } from './rig.js';

let rig: Rig;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ rig, close } = await startRig({ tellsUnreachable: true, tellsRedirects: true, repeats: 'nothing' }));
});
afterAll(() => close());

// Each throws where it fails; npm run test:runtimes runs the same on Deno, Bun and workerd.
test.each(cases.map((one) => [one.name, one] as const))('on Node: %s', (_, one) => one.run(rig));
