import type { Choices } from '../choices.js';
import { accessBehaviour } from './access.js';
import { answerBehaviour } from './answers.js';
import { executionBehaviour } from './executions.js';
import { lifecycleBehaviour } from './lifecycle.js';
import { profileBehaviour } from './profiles.js';
import { startBehaviour } from './starts.js';

/**
 * Everything that the interface rules, as a flat record of small functions. The service does each of these things
 * through this record only, so a deviation replaces one entry.
 */
export type Behaviour = ReturnType<typeof createBehaviour>;

export const createBehaviour = (choices: Choices) => ({
  ...accessBehaviour(choices),
  ...startBehaviour(choices),
  ...lifecycleBehaviour(choices),
  ...executionBehaviour(choices),
  ...profileBehaviour(choices),
  ...answerBehaviour(choices),
});
