import type { OperationId } from '../../../generated/operations.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import { status } from '../../engine/outcome/read.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Credential, Exchange, Keys } from '../../engine/vocabulary.js';
import { validBody } from '../starts/requests.js';
import { acceptsOtherHeader } from './key-headers.js';

/** The results for the keys of a target, by operation. */
const found = new WeakMap<Keys, Map<OperationId, Promise<boolean>>>();

/**
 * Whether an operation that answers 401 to the right key accepts it in the other header. Then it is sent there from now
 * on, so that everything else can be judged. Asked with an unknown id, once for each operation.
 */
export function isAcceptedInOtherHeader(
  keys: Keys,
  operation: OperationId,
  id: string,
  send: (ask: RequestSpec) => Promise<Exchange>,
): Promise<boolean> {
  const byOperation = found.get(keys) ?? new Map<OperationId, Promise<boolean>>();
  found.set(keys, byOperation);
  const header = byOperation.get(operation) ?? findsOut(keys, operation, id, send);
  byOperation.set(operation, header);
  return header;
}

async function findsOut(
  keys: Keys,
  operation: OperationId,
  id: string,
  send: (ask: RequestSpec) => Promise<Exchange>,
): Promise<boolean> {
  const body = validBody(operation);
  const ask = (credential: Credential): Promise<Exchange> =>
    send({
      step: `${credential}-key-header`,
      operation,
      id,
      hasMadeUpId: true,
      evenIfExclusive: true,
      credential,
      ...(body && { body }),
    });
  const shown = await ask('primary');
  if (status(shown) !== 401) return false;
  const [other, none] = [await ask('swapped'), await ask('none')];
  // If the answer is the same without a key, the key was not checked.
  const isTaken =
    outcomeOf(other).own !== undefined &&
    (status(other) ?? 0) < 500 &&
    status(other) !== 401 &&
    status(other) !== status(none);
  if (isTaken) acceptsOtherHeader(keys, operation);
  return isTaken;
}
