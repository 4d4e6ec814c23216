import type { OperationId } from '../../../generated/operations.js';
import { allows } from '../../judge/needs.js';
import type { Effect, Facts } from '../../vocabulary.js';
import { type Journey, together } from '../driver.js';
import { validBody } from './requests.js';

/** An update that would change nothing if the restricted key were let through. */
const noop = { cookiesToAdd: [] };

/** What each operation would do to the target, and to what, if the restricted key were let through. */
const real: { readonly [operation in OperationId]: { effect: Effect; id: (facts: Facts) => string | undefined } } = {
  execute: { effect: 'execute', id: ({ workflows }) => workflows.completes },
  executeSync: { effect: 'execute', id: ({ workflows }) => workflows.completes },
  getExecution: { effect: 'read', id: ({ execution }) => execution },
  listExecutionFiles: { effect: 'read', id: ({ execution }) => execution },
  updateProfile: { effect: 'write', id: ({ profile }) => profile },
  duplicateProfile: { effect: 'write', id: ({ profile }) => profile },
  deletePool: { effect: 'delete', id: ({ pool }) => pool },
};

/**
 * A service may look at the id before the permission: then a made-up one is answered as the full key is, which tells
 * nothing, and a real one is asked.
 */
export const restricted: Journey = {
  id: 'restricted',
  effect: 'read',
  needs: ['apiKeys.restricted'],
  after: ['keys-and-ids'],
  async run(driver) {
    const { facts } = driver;
    await together(
      (facts.restricted?.denied ?? []).map(async (operation) => {
        const { effect, id } = real[operation];
        const existing = id(facts);
        if (existing === undefined || !allows(facts.allow, effect)) return;
        const answers = ['restricted', 'unknown'].map((step) => driver.heard('keys-and-ids', `${step}-${operation}`));
        const [asRestricted, asFullKey] = answers.map((exchange) => exchange?.response?.status);
        if (asRestricted === 403 || asRestricted !== asFullKey) return;
        await driver.probe(
          'insufficient-permission-is-403',
          'a key without the permission',
          [`keys-and-ids/unknown-${operation}`],
          {
            step: `restricted-real-${operation}`,
            operation,
            id: existing,
            ...(validBody[operation] && { body: operation === 'updateProfile' ? noop : validBody[operation] }),
            credential: 'restricted',
          },
        );
      }),
    );
  },
};
