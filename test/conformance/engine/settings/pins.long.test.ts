import { expect, test } from 'vitest';
import { pinText } from '../../../../conformance/engine/settings/baseline.js';
import { toTarget } from '../../../../conformance/suite/target/target.js';
import { createReference } from '../../../../deviations/index.js';
import { checkInProcess } from '../../../../proof/in-process.js';

const target = toTarget({ ...createReference().fixtures, allow: 'write' });

test('twenty runs against one service give one pin file', async () => {
  const texts = new Set<string>();
  for (let seed = 0; seed < 20; seed += 1) {
    const latencyMs = [1, 20, 60, 150][seed % 4] ?? 1;
    texts.add(pinText((await checkInProcess({ seed, latencyMs }, { target, seed })).gaps));
  }
  expect([...texts]).toHaveLength(1);
});
