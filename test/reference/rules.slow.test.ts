import { describe, expect, it } from 'vitest';
import { idleRules, type RuleId, rules } from '../../generated/rules.js';
import { type Choices, choiceSets, choices } from '../../reference/index.js';
import { ruleTests } from './rules/index.js';
import { createWorld } from './world.js';

/** Also those of which the contract has no operation yet, since their tests ask others. */
const all = [...rules, ...idleRules.map((id) => ({ id, says: 'no operation is of it yet' }))];

async function holds(id: RuleId, set: string): Promise<void> {
  const world = createWorld({ choices: set });
  await ruleTests[id](world);
  expect(world.failures).toEqual([]);
}

describe.each(Object.keys(choiceSets))('with the choices %s', (set) => {
  it.each(all.map(({ id, says }) => [id, says] as const))('%s: %s', (id) => holds(id, set));
});

const inNoSet = Object.entries(choices).map(([gap, { values }]) =>
  Object.keys(values)
    .filter((value) => !Object.values(choiceSets).some((set) => set[gap as keyof Choices] === value))
    .map((value) => `${gap}=${value}`),
);
/** As few services as have all of them: one fills a gap in one way. */
const services = Array.from({ length: Math.max(...inNoSet.map(({ length }) => length)) }, (_, at) =>
  inNoSet.flatMap((ofGap) => ofGap[at] ?? []).join(','),
);
it.each(services)('with %s, which is in no set, every rule holds', async (choices) => {
  for (const { id } of all) await holds(id, choices);
});
