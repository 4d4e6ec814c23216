/** Where an operation can be sent: to something that exists, or to a made-up id. */

import { type Operation, type OperationId, operations, type Resource } from '../../generated/operations.js';
import { addressOf } from '../engine/http/address.js';
import { accepted, isReadRequest, isStartRequest, startedId } from '../engine/outcome/read.js';
import { isFaultless } from '../engine/rule/probes.js';
import type { RequestSpec } from '../engine/send/request-spec.js';
import type { Effect } from '../engine/vocabulary.js';
import type { Driver } from './driver.js';

export type Place = Pick<RequestSpec, 'id' | 'query'>;

/** An id that nothing has. */
export const madeUpPlace = (driver: Driver, operation: OperationId): Place => ({
  id: operations[operation].pathParameters.length > 0 ? driver.unknownIdOf(operation) : '',
});

/** Whether it does nothing to a service where the id that it names is made up. */
export const isHarmless = (operation: OperationId): boolean => {
  const { pathParameters, effect } = operations[operation] as Operation;
  return pathParameters.length > 0 || effect === 'reads' || effect === 'ends';
};

/** An execution of the run itself, about which it may ask anything. */
export const ownExecution = (driver: Driver): string | undefined => {
  const started = driver.lastAnswer('start/rich');
  return started && startedId(started);
};

/** What it may do to the target, if it is asked where `placeOf` says. */
export function effectOf(operation: OperationId): Effect {
  const { effect, subject } = operations[operation] as Operation;
  if (effect === 'reads') return 'read';
  if (subject === 'execution' || isStartRequest({ operation })) return 'execute';
  return effect === 'ends' ? 'delete' : 'write';
}

/** Whether it does something to an execution that is there, and starts none: with one of the run, that does no harm. */
export const isOnOwnExecution = (operation: OperationId): boolean => {
  const { effect, subject } = operations[operation] as Operation;
  return subject === 'execution' && (effect === 'changes' || effect === 'ends');
};

/**
 * Where the right key found something, else what is declared or was started. What is not only read must be of the run
 * itself, or declared for being changed.
 */
export function placeOf(driver: Driver, operation: OperationId): Place | undefined {
  const { facts } = driver;
  const { pathParameters }: Operation = operations[operation];
  const found = driver.sent.findLast((one) => one.operation === operation && isFaultless(one) && accepted(one));
  const address = found && addressOf(found.request.method, found.request.url);
  if (found && address) {
    const query = Object.fromEntries(new URL(found.request.url).searchParams);
    return { id: address.resource, query };
  }
  const [name] = pathParameters;
  if (name === undefined) return { id: '' };
  const ids: { readonly [kind in Resource]?: string | undefined } = {
    execution: (isReadRequest({ operation }) ? facts.execution : undefined) ?? ownExecution(driver),
    workflow: facts.workflows.completes,
    profile: facts.profile,
    pool: facts.pool,
  };
  const id = ids[name.replace(/Id$/, '') as Resource];
  return id === undefined ? undefined : { id };
}
