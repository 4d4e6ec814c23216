import type { Choices } from '../choices.js';
import { accessBehaviour } from './access.js';
import { answerBehaviour } from './answers.js';
import { executionBehaviour } from './executions.js';
import { lifecycleBehaviour } from './lifecycle.js';
import { profileBehaviour } from './profiles.js';
import { startBehaviour } from './starts.js';

/**
 * Everything that the interface rules, as one flat record of small functions: the service does these things here and
 * nowhere else, so whoever wants it to do one of them differently replaces one entry.
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
