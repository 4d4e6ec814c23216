import type { OperationId } from '../generated/operations.js';
import type {
  AgentProfile,
  Comment,
  ExecutionResult,
  ExecutionStatus,
  HumanLabel,
  ScriptFailure,
  TempFileReference,
  TriggerContext,
} from '../generated/types.js';
import type { Scenario, WrittenFile } from './scenarios.js';
import type { Start } from './start.js';

/** The state of a service. All times are in milliseconds since the epoch. */

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly organizationId: string;
  readonly admin: boolean;
  readonly denied: readonly OperationId[];
  /** The trigger context of executions that are started with this key. */
  readonly trigger: TriggerContext;
  /** Organizations that profiles may be duplicated into. */
  readonly organizations: readonly string[];
}

export interface Workflow {
  readonly id: string;
  readonly scenario: Scenario;
  readonly variantMode: boolean;
  readonly publishedVersion: number;
  readonly versions: readonly number[];
  readonly agent: { readonly id: string; readonly name: string; readonly hardTimeoutMins: number };
}

/** Stored as it is shown, except for what answers compute or hide. */
export interface Profile
  extends Omit<AgentProfile, 'createdAt' | 'updatedAt' | 'inboxEmail' | 'customProxy' | 'inboxEmailPrefix'> {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly inboxEmailPrefix: string | undefined;
  readonly customProxy: Readonly<Record<string, unknown>> | undefined;
  readonly proxyMode: 'none' | 'managed' | 'custom' | 'gateway';
  readonly operatingSystem: 'macos' | 'windows';
  readonly proxyCountry: string | undefined;
}

export interface Pool {
  readonly id: string;
  readonly profileIds: readonly string[];
}

export interface RunFile extends WrittenFile {
  readonly id: string;
  /** When the file sync lists it. */
  readonly listedAt: number;
}

/** An execution, as the service keeps it. */
export interface Run {
  readonly id: string;
  readonly organization: Organization;
  readonly workflow: Workflow;
  readonly start: Start;
  readonly pool: Pool | undefined;
  readonly sharedStorageKey: string | undefined;
  readonly trigger: TriggerContext | undefined;
  readonly createdAt: number;
  /** Bytes of the request that started it, counted against the limit on ended runs. */
  readonly weight: number;
  status: ExecutionStatus;
  profile: Pick<Profile, 'id' | 'name'> | undefined;
  startedAt?: number;
  terminalAt?: number;
  result?: ExecutionResult;
  scriptFailures?: ScriptFailure[];
  files: readonly RunFile[];
  hasBeenRerun: boolean;
  parentExecutionId?: string;
  comments: readonly Comment[];
  humanLabels: readonly HumanLabel[];
}

export interface Organization {
  readonly id: string;
  readonly workflows: Map<string, Workflow>;
  readonly profiles: Map<string, Profile>;
  readonly pools: Map<string, Pool>;
  readonly tempFiles: Map<string, TempFileReference>;
  readonly runs: Map<string, Run>;
  /** Oldest first. */
  readonly queue: Run[];
  /** How many runs have started and not ended. */
  active: number;
  /** How many active runs use a profile, by its id. */
  readonly profilesInUse: Map<string, number>;
  /** Ended runs and duplicated profiles, oldest first: those beyond the limits are dropped. */
  readonly ended: Set<Run>;
  endedWeight: number;
  readonly copies: Set<string>;
}

export interface Store {
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly keys: ReadonlyMap<string, ApiKey>;
}

export const createOrganization = (id: string): Organization => ({
  id,
  workflows: new Map(),
  profiles: new Map(),
  pools: new Map(),
  tempFiles: new Map(),
  runs: new Map(),
  queue: [],
  active: 0,
  profilesInUse: new Map(),
  ended: new Set(),
  endedWeight: 0,
  copies: new Set(),
});

/** Records that a run has ended, and drops the oldest ended runs beyond the limits. */
export function retain(organization: Organization, run: Run, limits: { count: number; bytes: number }): void {
  organization.ended.add(run);
  organization.endedWeight += run.weight;
  for (const oldest of organization.ended) {
    if (organization.ended.size <= limits.count && organization.endedWeight <= limits.bytes) return;
    organization.ended.delete(oldest);
    organization.endedWeight -= oldest.weight;
    organization.runs.delete(oldest.id);
  }
}

/** Adds a copied profile, and drops the oldest copies beyond the limit. */
export function keepCopy(organization: Organization, copy: Profile, limit: number): void {
  organization.profiles.set(copy.id, copy);
  organization.copies.add(copy.id);
  for (const oldest of organization.copies) {
    if (organization.copies.size <= limit) return;
    organization.copies.delete(oldest);
    organization.profiles.delete(oldest);
  }
}
