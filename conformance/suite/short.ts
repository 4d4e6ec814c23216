import type { Target } from '../engine/vocabulary.js';
import { forThoseMeant } from './budget.js';
import { rehearse } from './rehearse.js';
import { defaultExecutions } from './target/target.js';

/**
 * Whether a run asks for more executions than the target file allows: then it leaves out what only repeats, so that as many
 * rules as possible are judged. Told by a rehearsal, which sends nothing.
 */
export async function isShort(target: Target): Promise<boolean> {
  const { budget } = target.facts;
  if (budget.executions >= defaultExecutions) return false;
  const facts = { ...target.facts, budget: { ...budget, executions: defaultExecutions } };
  const { session } = await rehearse({ ...target, facts });
  return session.executions.started.size > forThoseMeant(budget.executions);
}
