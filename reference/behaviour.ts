import { accessBehaviour } from './behaviour/access.js';
import { answerBehaviour } from './behaviour/answers.js';
import { executionBehaviour } from './behaviour/executions.js';
import { lifecycleBehaviour } from './behaviour/lifecycle.js';
import { profileBehaviour } from './behaviour/profiles.js';
import { startBehaviour } from './behaviour/starts.js';
import type { Choices } from './choices.js';

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
