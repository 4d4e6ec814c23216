import { describe, expect, it } from 'vitest';
import { type RuleId, rules } from '../../generated/rules.js';
import { type Fault, faults, findFault } from '../../reference/index.js';
import { ruleTests } from './rules/index.js';
import { createWorld } from './world.js';

const breaking = (id: RuleId): readonly Fault[] => faults.filter(({ breaks }) => breaks.includes(id));

/** Whether a rule's test fails with a fault, or does not end: nobody lets the time pass that an answer then takes. */
const fails = (id: RuleId, fault: Fault): Promise<boolean> =>
  Promise.race([
    ruleTests[id](createWorld({ faults: [fault] })).then(
      () => false,
      () => true,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, 2000, true)),
  ]);

describe('the catalogue of faults', () => {
  it('gives each fault an id of its own', () => {
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  });

  // A test that no fault can break would prove nothing. Which fault breaks what is proven on the suite.
  it.each(rules.map(({ id }) => id).filter((id) => breaking(id).length > 0))('can break the test of %s', async (id) => {
    for (const fault of breaking(id)) if (await fails(id, fault)) return;
    expect.unreachable(`it holds with each of ${breaking(id).map((fault) => fault.id)}`);
  });

  it('says which fault was meant', () => {
    const first = faults[0]?.id;
    expect(() => findFault(`${first}s`)).toThrow(`the fault ${first}s is unknown; did you mean ${first}?`);
    expect(() => findFault('xyz')).toThrow(`the fault xyz is unknown; there is ${first}, `);
  });
});
