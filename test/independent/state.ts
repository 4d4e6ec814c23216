/** Any JSON, as it is read and written. */
export type Value = string | number | boolean | null | Value[] | Fields;
export type Fields = { [name: string]: Value | undefined };

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const fieldsOf = (value: Value | undefined): Fields => (isFields(value) ? value : {});
export const listOf = (value: Value | undefined): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
export const copyOf = <T>(value: T): T => structuredClone(value);

export interface Clock {
  now(): number;
  setTimeout(fire: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

export const operations = [
  'execute',
  'executeSync',
  'getExecution',
  'listExecutionFiles',
  'updateProfile',
  'duplicateProfile',
  'deletePool',
] as const;
export type Operation = (typeof operations)[number];

export type Status =
  | 'queued'
  | 'starting'
  | 'running'
  | 'paused'
  | 'awaiting_confirmation'
  | 'completed'
  | 'cancelled'
  | 'failed'
  | 'paused_by_agent';

export const isTerminal = (status: Status): boolean => ['completed', 'cancelled', 'failed'].includes(status);

/** What a run of a workflow does by itself, with milliseconds before each state. */
export interface Workflow {
  readonly id: string;
  readonly agentId: string;
  readonly steps: readonly (readonly [afterMs: number, to: Status])[];
  readonly variantMode?: boolean;
  readonly writesFiles?: boolean;
}

export interface Execution {
  readonly id: string;
  readonly order: number;
  readonly workflow: Workflow;
  readonly createdAt: number;
  status: Status;
  sync: boolean;
  /** Whether it ever waited for capacity. */
  waited: boolean;
  groupId?: string;
  profileId?: string;
  inputs?: Fields;
  metadata?: Fields;
  options?: Fields;
  terminalAt?: number;
  runningAt?: number;
  result?: Fields;
  /** Whatever else a record of long ago has. */
  more: Fields;
  files: Fields[];
  reads: number;
  /** What the start was sent, for whoever must tell one start from another. */
  asked: Fields;
}

export interface Profile {
  readonly id: string;
  organizationId: string;
  readonly createdAt: number;
  updatedAt: number;
  /** All that is not a set: by the names of the wire. */
  settings: Fields;
  cookies: Fields[];
  credentials: Fields[];
  updates: number;
  copyOf?: string;
}

export interface Group {
  readonly id: string;
  readonly profileIds: readonly string[];
}

/** What is answered. */
export interface Answer {
  status: number;
  body?: Value;
  headers: Record<string, string>;
}

export interface State {
  readonly organization: string;
  readonly otherOrganization: string;
  readonly workflows: Map<string, Workflow>;
  readonly executions: Map<string, Execution>;
  readonly profiles: Map<string, Profile>;
  readonly groups: Map<string, Group>;
  readonly tempFiles: Map<string, string>;
  readonly queue: Execution[];
}

/** One request, as far as it is understood. */
export interface Call {
  readonly operation: Operation;
  /** Which call of its operation it is, from 1 on. */
  readonly n: number;
  readonly path: string;
  readonly id: string;
  readonly headers: Headers;
  body: Fields;
  readonly hasBody: boolean;
  readonly state: State;
  readonly now: number;
}
