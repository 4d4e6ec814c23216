import { expect, test } from 'vitest';
import { badCallers } from '../../proof/callers/bad-callers.js';
import { declaredOf, playAll, resultOf } from '../../proof/callers/matrix.js';

// Most of a script is waiting: several callers wait at the same time.
test.concurrent.each(badCallers.map((one) => [one.id, one] as const))(
  '%s breaks the declared rules, and no others',
  async (_, one) => {
    expect(resultOf((await playAll(one.call)).verdicts)).toEqual(declaredOf(one));
  },
);
