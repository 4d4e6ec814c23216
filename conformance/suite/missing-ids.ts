/** Ids in the target file that the target does not have: a mistake in the file, not in the service. */

import { type Operation, type OperationId, operations, type Resource } from '../../generated/operations.js';
import type { RuleId } from '../../generated/rules.js';
import { addressOf } from '../engine/http/address.js';
import type { Exclusion } from '../engine/outcome/excluded.js';
import {
  accepted,
  answerBody,
  isCopyRequest,
  isReadRequest,
  isStartRequest,
  refused,
  requestBody,
  requestFields,
  startedId,
  status,
  traitsOf,
} from '../engine/outcome/read.js';
import { mayHaveRemoved } from '../engine/outcome/readings.js';
import { saysTheSame } from '../engine/outcome/when.js';
import { isFaultless } from '../engine/rule/probes.js';
import { asText, listOf, sameId } from '../engine/rule/values.js';
import type { RequestSpec } from '../engine/send/request-spec.js';
import type { Effect, Evidence, Exchange, Facts } from '../engine/vocabulary.js';
import type { Driver } from './driver.js';
import { groupOf } from './executions/view.js';

/** Requests that named it are not judged, unless it is a pool or an execution: for these, a 404 is judged as such. */
export interface MissingId extends Exclusion {
  /** The name in the target file: `workflows.completes`. */
  readonly declaredAs: string;
}

interface Named {
  readonly name: string;
  readonly value: string | undefined;
  names(exchange: Exchange): boolean;
  /** The probe that names something that does not exist. A missing id may be refused in the same words as that. */
  readonly probe?: RuleId;
}

const of =
  (subject: Resource, id: string | undefined) =>
  (exchange: Exchange): boolean =>
    traitsOf(exchange)?.subject === subject && sameId(exchange.resource, id);

function named(facts: Facts, meant: readonly Exchange[]): Named[] {
  const { workflows, capacity, execution, profile, scratchProfile, profileGroup, pool, tempFile, otherOrganization } =
    facts;
  const version = facts.publishedVersion;
  const runsWithout = (workflow: Exchange['resource']) =>
    meant.some((one) => one.resource === workflow && accepted(one) && requestFields(one).version === undefined);
  const workflow = (name: string, id: string | undefined): Named => ({
    name,
    value: id,
    names: of('workflow', id),
  });
  const group = (name: string, id: string | undefined): Named => ({
    name,
    value: id,
    names: (one) => sameId(groupOf(one), id),
  });
  return [
    ...Object.entries(workflows).map(([role, id]) => workflow(`workflows.${role}`, id)),
    workflow('capacity.workflow', capacity?.workflow),
    group('capacity.profileGroup', capacity?.profileGroup),
    group('profileGroup', profileGroup),
    { name: 'execution', value: execution, names: of('execution', execution) },
    { name: 'profile', value: profile, names: of('profile', profile) },
    { name: 'scratchProfile', value: scratchProfile, names: of('profile', scratchProfile) },
    { name: 'pool', value: pool, names: of('pool', pool) },
    {
      name: 'otherOrganization',
      value: otherOrganization,
      names: (one) => sameId(requestBody(one)?.organizationId, otherOrganization),
      probe: 'duplicate-into-unknown-organization',
    },
    {
      name: 'publishedVersion',
      value: version === undefined ? undefined : `${version}`,
      names: (one) => requestFields(one).version === version && runsWithout(one.resource),
      probe: 'version-must-exist',
    },
    {
      name: 'tempFile',
      value: tempFile?.id,
      names: (one) => listOf(requestFields(one).tempFiles).some(({ id }) => sameId(id, tempFile?.id)),
    },
  ];
}

/** The ids for which every correct request was answered 404, or in the words that refuse an id that does not exist. */
export function missingIds({ exchanges }: Evidence, facts: Facts): MissingId[] {
  if (!facts.stateful) return [];
  const meant = exchanges.filter(isMeant);
  // If copies within the own organization are refused alike, the refusal is not about the other organization.
  const isOfCopies = (one: Exchange) =>
    meant.some(
      (other) =>
        isCopyRequest(other) &&
        requestBody(other)?.organizationId === undefined &&
        refused(other) &&
        saysTheSame(other, one),
    );
  const found = named(facts, meant).flatMap(({ name, value, names, probe }) => {
    const asked = value === undefined ? [] : meant.filter(names);
    const unknown = probe && exchanges.find(({ mark }) => mark?.probe?.rule === probe);
    // Such a refusal counts only if it names the value: the service may refuse everything in the same words.
    const namesIt = (one: Exchange) =>
      speaksOf(asText(answerBody(one)?.message), value ?? '') || (name === 'otherOrganization' && !isOfCopies(one));
    const isOfNone = (one: Exchange) =>
      status(one) === 404 || (refused(one) && unknown && saysTheSame(one, unknown) && namesIt(one));
    if (asked.length === 0 || !asked.every(isOfNone)) return [];
    if (exchanges.some((one) => names(one) && mayHaveRemoved(one))) return [];
    const beside = (one: Exchange) =>
      refused(one) && value !== undefined && speaksOf(JSON.stringify(requestBody(one) ?? {}), value);
    return [{ name, value: value ?? '', exchanges: [...asked, ...meant.filter(beside)] }];
  });
  // If several ids always went together, only those that the answers name are missing.
  const areNamed = (one: (typeof found)[number], value: string) =>
    one.exchanges.some((exchange) => speaksOf(asText(answerBody(exchange)?.message), value));
  return found
    .filter(
      (one) =>
        areNamed(one, one.value) || !found.some((other) => other.value !== one.value && areNamed(one, other.value)),
    )
    .map(({ name, value, exchanges: asked }) => ({
      declaredAs: name,
      reason: `${name} of the target file (${value}) does not exist on the target: it was answered ${status(asked[0] as Exchange)} each time.`,
      exchanges: ['pool', 'execution'].includes(name) ? [] : asked,
    }));
}

/** Whether a text has the value as a whole word. */
const speaksOf = (text: string, value: string): boolean => text.split(/[^\w-]+/).includes(value);

const isMeant = ({ mark, response }: Exchange): boolean =>
  response !== undefined &&
  mark?.credential === 'primary' &&
  mark.probe === undefined &&
  mark.excluded === undefined &&
  // Nor a request whose body may be refused before the service looks for the id.
  mark.unjudged === undefined;

// Where an operation can be asked of something that exists.

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
  const started = driver.lastAnswer('start', 'rich');
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
