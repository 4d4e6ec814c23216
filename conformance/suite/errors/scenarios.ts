/** Tries the bodies of operations that no scenario of their own sends wrong ones of. */

import { operations } from '../../../generated/operations.js';
import { isReadRequest } from '../../engine/outcome/read.js';
import type { Scenario } from '../driver.js';
import { otherStarts, steered } from '../executions/roles.js';
import { effectOf, isOnOwnExecution, placeOf } from '../known-places.js';
import { validBody } from '../starts/requests.js';
import { sendWrongBodies, withWrongBodies, wrongBodySteps } from './invalid.js';

/** What the target file has to declare, for something of the kind to be there. */
const needs: Readonly<Record<string, string>> = {
  execution: 'workflows.completes',
  workflow: 'workflows.completes',
  profile: 'profile',
  pool: 'pool',
};

export const wrongBodyScenarios: readonly Scenario[] = withWrongBodies
  .filter((operation) => !steered.includes(operation) && !otherStarts.some((one) => one === operation))
  .map((operation) => ({
    id: `bodies-of-${operation}`,
    sends: [operation],
    requests: 10,
    effect: effectOf(operation),
    needs: [needs[operations[operation].subject ?? ''] ?? []].flat(),
    after: ['real-keys'],
    steps: { ...wrongBodySteps, [operation]: [] },
    async run(driver) {
      const place = placeOf(driver, operation);
      if (!place) return;
      // What is accepted shows that the others are refused for what they are.
      if (isReadRequest({ operation }) || isOnOwnExecution(operation))
        await driver.send({ step: operation, operation, ...place, body: validBody(operation) ?? {} });
      await sendWrongBodies(driver, { operation, ...place });
    },
  }));
