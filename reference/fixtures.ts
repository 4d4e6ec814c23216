/** Ids, names and keys of what every service contains at its start. */

import { type OperationId, operationIds } from '../generated/operations.js';
import { type ScenarioName, scenarios } from './scenarios.js';

/** Recognisable ids: the first digit tells the kind, then comes a number. */
export const uuid = (kind: string, number: number): string =>
  `${kind}${number.toString(16).padStart(7, '0')}-0000-4000-8000-000000000000`;

export const scenarioNames = Object.keys(scenarios) as ScenarioName[];
export const workflowIds = Object.fromEntries(
  scenarioNames.map((name, index) => [name, uuid('f', index + 1)]),
) as Readonly<Record<ScenarioName, string>>;

export const organizationIds = { own: uuid('0', 1), other: uuid('0', 2) };
export const profileIds = {
  profile: uuid('b', 1),
  otherProfile: uuid('b', 2),
  held: uuid('b', 3),
  spare: 16,
  spares: 12,
};
export const poolIds = { spare: uuid('c', 1), held: uuid('c', 2), deletable: uuid('c', 3) };
export const executionIds = { seeded: uuid('e', 1), rerun: uuid('e', 2) };
export const tempFile = { id: uuid('d', 1), name: 'statement.pdf' };
export const agent = { id: uuid('a', 1), name: 'Invoice collector', hardTimeoutMins: 60 };
export const user = { email: 'robin@example.com', userId: uuid('a', 2), isAdmin: false };
export const publishedVersion = 3;

/** Publicly known keys: the service has nothing to protect. */
export const keys = {
  full: 'reference-key-full',
  restricted: 'reference-key-restricted',
  admin: 'reference-key-admin',
  otherOrganization: 'reference-key-other-organization',
} as const;

/** The keys for X-Service-Agents-Api-Key, if that header takes its own (choice `service-agents-key`). */
export const serviceKeys = {
  full: 'reference-service-key-full',
  restricted: 'reference-service-key-restricted',
  admin: 'reference-service-key-admin',
  otherOrganization: 'reference-service-key-other-organization',
} as const satisfies Record<keyof typeof keys, string>;

/** A target file that declares everything that the service has, including its keys in plain text. */
export interface Fixtures {
  /** The address of the service. */
  baseUrl: string;
  /** For the conformance suite: the service keeps what it is given. */
  stateful: true;
  /** For the conformance suite: what it may do. */
  allow: 'delete';
  /** The keys that the service accepts. */
  apiKeys: {
    /** May do everything. */
    primary: string;
    /** The same for `X-Service-Agents-Api-Key`, if that header takes a key of its own. */
    serviceAgents?: string;
    /** May not call the operations in `denied`. */
    restricted: { key: string; serviceAgents?: string; denied: OperationId[] };
  };
  /** The ids of workflows, by what their executions do. */
  workflows: Record<Exclude<ScenarioName, 'holds'>, string>;
  /** The published version of every workflow; the versions before it exist too. */
  publishedVersion: number;
  /** An execution that has ended, with a comment and a label. */
  execution: string;
  /** A profile with a cookie, a credential and a proxy. */
  profile: string;
  /** Another profile of the same organization. */
  otherProfile: string;
  /** A profile group with several profiles. */
  profileGroup: string;
  /** A profile group to delete. */
  pool: string;
  /** An organization that profiles may be duplicated to. */
  otherOrganization: string;
  /** A temp file that was uploaded. */
  tempFile: { id: string; name: string };
  /** After how many minutes an agent is stopped. */
  agentHardTimeoutMins: number;
  /** A profile group with one profile, and a workflow that holds it for a second. */
  capacity: { profileGroup: string; size: number; workflow: string; exclusive: true };
  /** For the conformance suite: how fast it may send. */
  pace: { requestsPerSecond: number; concurrency: number; latencyGraceMs: number };
}

/** The target file of a service. `twoKeys`: each header takes its own keys. */
export function fixturesOf(baseUrl: string, denied: readonly OperationId[] = operationIds, twoKeys = false): Fixtures {
  const { holds, ...workflows } = workflowIds;
  return {
    baseUrl,
    stateful: true,
    allow: 'delete',
    apiKeys: {
      primary: keys.full,
      ...(twoKeys && { serviceAgents: serviceKeys.full }),
      restricted: {
        key: keys.restricted,
        ...(twoKeys && { serviceAgents: serviceKeys.restricted }),
        denied: [...denied],
      },
    },
    workflows,
    publishedVersion,
    execution: executionIds.seeded,
    profile: profileIds.profile,
    otherProfile: profileIds.otherProfile,
    profileGroup: poolIds.spare,
    pool: poolIds.deletable,
    otherOrganization: organizationIds.other,
    tempFile,
    agentHardTimeoutMins: agent.hardTimeoutMins,
    capacity: { profileGroup: poolIds.held, size: 1, workflow: holds, exclusive: true },
    // It is local and its states are short, but the machine may be busy.
    pace: { requestsPerSecond: 1000, concurrency: 32, latencyGraceMs: 20_000 },
  };
}
