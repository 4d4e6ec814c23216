import { type OperationId, operationIds } from '../../generated/operations.js';
import { keys } from '../../reference/fixtures.js';
import { answering, restated, shownKey } from '../change.js';
import type { Fault } from '../fault.js';

const valid: readonly string[] = Object.values(keys);

/** Takes a request of an operation for one with the full key where the one that it shows is of this kind. */
const letsIn =
  (operation: OperationId, is: (shown: string | null) => boolean): Fault['behaviour'] =>
  (base) => ({
    presentedKeys: (called, headers) => {
      const presented = base.presentedKeys(called, headers);
      return called === operation && presented.other === null && is(presented.shown)
        ? { ...presented, shown: keys.full }
        : presented;
    },
  });

const missing = (shown: string | null) => shown === null;
const invalid = (shown: string | null) => shown !== null && !valid.includes(shown);

/** Refuses with another status whoever is refused with `from` and shows such a key. */
const refuses = (from: 401 | 403, to: number, is: (shown: string | null) => boolean): Fault['behaviour'] =>
  answering((answer, call) => (answer.status === from && is(shownKey(call)) ? restated(answer, to) : answer));

/** Looks at one header alone, whichever an operation is shown with. */
const only =
  (header: string, of: readonly OperationId[]): Fault['behaviour'] =>
  (base) => ({
    presentedKeys: (operation, headers) =>
      of.includes(operation) ? { shown: headers.get(header), other: null } : base.presentedKeys(operation, headers),
  });

/** Who is let in. */
export const keyFaults: readonly Fault[] = [
  ...operationIds.flatMap((operation): Fault[] => [
    {
      id: `${operation}-needs-no-key`,
      breaks: ['missing-key-is-401'],
      says: `${operation} is done without a key.`,
      behaviour: letsIn(operation, missing),
    },
    {
      id: `${operation}-takes-any-key`,
      breaks: ['invalid-key-is-401'],
      says: `${operation} is done with a key that nobody has.`,
      behaviour: letsIn(operation, invalid),
    },
    {
      id: `${operation}-needs-no-permission`,
      breaks: ['insufficient-permission-is-403'],
      says: `${operation} is done with a key that lacks the permission.`,
      behaviour: (base) => ({ mayCall: (key, called) => called === operation || base.mayCall(key, called) }),
    },
  ]),
  {
    id: 'keys-count-in-x-api-key-alone',
    breaks: ['key-is-taken-where-shown'],
    says: 'Every operation takes the key in X-Api-Key, and in no other header.',
    behaviour: only('X-Api-Key', operationIds),
  },
  {
    id: 'listings-take-the-key-of-readings',
    breaks: ['key-is-taken-where-shown'],
    says: 'Listing the files takes the key in the header that reading an execution takes it in.',
    behaviour: only('X-Service-Agents-Api-Key', ['listExecutionFiles']),
  },
  {
    id: 'missing-key-is-403',
    breaks: ['missing-key-is-401'],
    says: 'A request without a key is answered 403.',
    behaviour: refuses(401, 403, missing),
  },
  {
    id: 'missing-key-is-400',
    breaks: ['missing-key-is-401'],
    says: 'A request without a key is answered 400.',
    behaviour: refuses(401, 400, missing),
  },
  {
    id: 'wrong-key-is-403',
    breaks: ['invalid-key-is-401'],
    says: 'A request with a wrong key is answered 403.',
    behaviour: refuses(401, 403, invalid),
  },
  {
    id: 'wrong-key-is-404',
    breaks: ['invalid-key-is-401'],
    says: 'For a request with a wrong key nothing is there.',
    behaviour: refuses(401, 404, invalid),
  },
  {
    id: 'no-permission-is-401',
    breaks: ['insufficient-permission-is-403'],
    says: 'A key that lacks the permission is answered 401.',
    behaviour: refuses(403, 401, (shown) => shown === keys.restricted),
  },
  {
    id: 'no-permission-is-404',
    breaks: ['insufficient-permission-is-403'],
    says: 'For a key that lacks the permission nothing is there.',
    behaviour: refuses(403, 404, (shown) => shown === keys.restricted),
  },
];
