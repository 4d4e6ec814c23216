/** Turns a target file into a target. */

import type { OperationId } from '../../../generated/operations.js';
import { milliseconds } from '../../engine/settings/base-url.js';
import type { ClientCertificate, Effect, Facts, Keys, Target } from '../../engine/vocabulary.js';
import type { Hooks } from './facts.js';
import type { WorkflowRole } from './roles.js';
import { secretsOf } from './secrets.js';
import schema from './target.schema.json' with { type: 'json' };

/** The key that a header carries, for the full or the restricted key. */
export function keyFor(keys: Keys, header: string, who: 'primary' | 'restricted'): string | undefined {
  const own = who === 'primary' ? keys : keys.restricted;
  return (header === 'X-Service-Agents-Api-Key' ? own?.serviceAgents : undefined) ?? own?.primary;
}

export const allKeys = ({ primary, serviceAgents, restricted }: Keys): string[] =>
  [primary, serviceAgents, restricted?.primary, restricted?.serviceAgents].filter((key) => key !== undefined);

/** A workflow, and what is known of its runs. */
export interface DeclaredWorkflow {
  readonly id: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Such as `3m`. */
  readonly takes?: string;
  readonly cost?: number;
}

type Declared = 'baseUrl' | 'restricted' | 'pace' | 'budget' | 'workflows' | 'inputs' | 'takes' | 'cost';

/** A target file, with its variables filled in. */
export interface TargetFile extends Partial<Omit<Facts, Declared>> {
  readonly baseUrl: string;
  readonly workflows?: { readonly [role in WorkflowRole]?: string | DeclaredWorkflow };
  readonly hooks?: Hooks;
  readonly apiKeys?: {
    readonly primary?: string;
    readonly serviceAgents?: string;
    readonly restricted?: {
      readonly key: string;
      readonly serviceAgents?: string;
      readonly denied: readonly OperationId[];
    };
  };
  readonly headers?: Readonly<Record<string, string>>;
  readonly clientCertificate?: ClientCertificate;
  readonly pace?: Partial<Facts['pace']>;
  readonly budget?: Partial<Facts['budget']>;
  /** For editors. */
  readonly $schema?: string;
}

const { stateful, allow, pace, budget } = schema.properties;

const defaults = {
  stateful: stateful.default,
  allow: allow.default as Effect,
  pace: {
    requestsPerSecond: pace.properties.requestsPerSecond.default,
    concurrency: pace.properties.concurrency.default,
    latencyGraceMs: pace.properties.latencyGraceMs.default,
  },
  budget: { copies: budget.properties.copies.default },
} as const satisfies Partial<Facts>;

/** The workflow of each role. */
export const declaredWorkflows = ({ workflows = {} }: Pick<TargetFile, 'workflows'>): [string, DeclaredWorkflow][] =>
  Object.entries(workflows).map(([role, one]) => [role, typeof one === 'string' ? { id: one } : one]);

/** What is known of the workflows, by role. What is known of none is left out. */
function workflowFacts(file: TargetFile): Pick<Facts, 'workflows' | 'inputs' | 'takes' | 'cost'> {
  const all = declaredWorkflows(file);
  const of = <T>(pick: (one: DeclaredWorkflow) => T | undefined) =>
    Object.fromEntries(all.flatMap(([role, one]) => (pick(one) === undefined ? [] : [[role, pick(one) as T]])));
  const declared = {
    inputs: of(({ inputs }) => inputs),
    takes: of(({ takes }) => milliseconds(takes ?? '')),
    cost: of(({ cost }) => cost),
  };
  return {
    workflows: of(({ id }) => id),
    ...Object.fromEntries(Object.entries(declared).filter(([, byRole]) => Object.keys(byRole).length > 0)),
  };
}

/** The target that a file describes, with the defaults of the schema. Checks nothing. */
export function toTarget(written: TargetFile): Target {
  const { $schema, apiKeys = {}, headers = {}, clientCertificate, hooks, workflows, ...file } = written;
  const { primary, serviceAgents, restricted } = apiKeys;
  return {
    facts: {
      ...defaults,
      ...file,
      ...workflowFacts(written),
      baseUrl: file.baseUrl.replace(/\/+$/, ''),
      ...(restricted && { restricted: { denied: restricted.denied } }),
      ...((hooks?.cancelExecution ?? hooks?.resumeExecution) !== undefined && { endsExecutions: true }),
      pace: { ...defaults.pace, ...file.pace },
      budget: { ...defaults.budget, ...file.budget },
    },
    keys: {
      ...(primary !== undefined && { primary }),
      ...(serviceAgents !== undefined && { serviceAgents }),
      ...(restricted && {
        restricted: {
          primary: restricted.key,
          ...(restricted.serviceAgents !== undefined && { serviceAgents: restricted.serviceAgents }),
        },
      }),
    },
    headers,
    secrets: [
      ...secretsOf(headers),
      ...(clientCertificate?.passphrase === undefined ? [] : [clientCertificate.passphrase]),
    ],
    ...(clientCertificate && { clientCertificate }),
    ...(hooks && { hooks }),
  };
}

/** The facts of a target without a target file. */
export const unknownTarget: Facts = toTarget({ baseUrl: '' }).facts;
