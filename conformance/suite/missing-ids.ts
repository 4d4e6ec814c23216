/** Ids in the target file that the target does not have: a mistake in the file, not in the service. */

import type { Resource } from '../../generated/operations.js';
import type { RuleId } from '../../generated/rules.js';
import type { Exclusion } from '../engine/outcome/excluded.js';
import { isProbeOf } from '../engine/outcome/mark.js';
import {
  accepted,
  answerBody,
  isMeantToPass,
  refused,
  requestBody,
  requestFields,
  status,
  traitsOf,
} from '../engine/outcome/read.js';
import { mayHaveRemoved } from '../engine/outcome/removals.js';
import { saysTheSame } from '../engine/outcome/when.js';
import { asText, listOf, sameId } from '../engine/rule/values.js';
import type { Evidence, Exchange, Facts } from '../engine/vocabulary.js';
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

function named(facts: Facts, meant: readonly Exchange[]): Named[] {
  const { workflows, capacity, execution, profile, scratchProfile, profileGroup, pool, tempFile, otherOrganization } =
    facts;
  const version = facts.publishedVersion;
  const runsWithout = (workflow: Exchange['resource']) =>
    meant.some((one) => one.resource === workflow && accepted(one) && requestFields(one).version === undefined);
  const inPath = (name: string, value: string | undefined, subject: Resource): Named => ({
    name,
    value,
    names: (one) => traitsOf(one)?.subject === subject && sameId(one.resource, value),
  });
  const group = (name: string, value: string | undefined): Named => ({
    name,
    value,
    names: (one) => sameId(groupOf(one), value),
  });
  return [
    ...Object.entries(workflows).map(([role, id]) => inPath(`workflows.${role}`, id, 'workflow')),
    inPath('capacity.workflow', capacity?.workflow, 'workflow'),
    group('capacity.profileGroup', capacity?.profileGroup),
    group('profileGroup', profileGroup),
    inPath('execution', execution, 'execution'),
    inPath('profile', profile, 'profile'),
    inPath('scratchProfile', scratchProfile, 'profile'),
    inPath('pool', pool, 'pool'),
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
  const found = named(facts, meant).flatMap(({ name, value, names, probe }) => {
    const asked = value === undefined ? [] : meant.filter(names);
    const unknown = probe && exchanges.find((one) => isProbeOf(one, probe));
    const isOfNone = (one: Exchange) => status(one) === 404 || (unknown && refused(one) && saysTheSame(one, unknown));
    if (asked.length === 0 || !asked.every(isOfNone)) return [];
    if (exchanges.some((one) => names(one) && mayHaveRemoved(one))) return [];
    return [{ name, value: value ?? '', exchanges: asked }];
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

/** Not a request either whose body may be refused before the service looks for the id. */
const isMeant = (exchange: Exchange): boolean => exchange.response !== undefined && isMeantToPass(exchange);
