import { describe, expect, it } from 'vitest';
import { idleRules, type RuleId, rules } from '../../generated/rules.js';
import { choiceSets } from '../../reference/index.js';
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
