/** Turns a target file into a target. */

import type { OperationId } from '../../../generated/operations.js';
import { type Fields, isFields, isKeyHeader } from '../../engine/outcome/read.js';
import { equal, sameId } from '../../engine/rule/values.js';
import type { ClientCertificate, Keys, Target } from '../../engine/send/request-spec.js';
import { baseUrlFault, isReadable, type Mistake, milliseconds, type Path } from '../../engine/settings/file.js';
import type { Effect, Facts } from '../../engine/vocabulary.js';
import { type Hooks, placeOfUse, type WorkflowRole, type WorkflowUse } from './roles.js';
import schema from './target.schema.json' with { type: 'json' };

export type Environment = Readonly<Record<string, string | undefined>>;

const variable = /\$\{([^${}]*)\}/g;

export const namesVariable = (text: string): boolean => text.search(variable) >= 0;

/** A mistake in a `${…}`. */
export interface VariableMistake extends Mistake {
  /** The variable is not set: that is no mistake of the file. */
  readonly isUnset: boolean;
}

/** Replaces each `${NAME}` in the strings of a value by that environment variable. A missing one is a mistake. */
export function withVariables(value: unknown, env: Environment, mistakes: VariableMistake[], path: Path = []): unknown {
  // The shell expands variables in commands, so that their contents are never parsed as a command.
  if (path[0] === 'hooks') return value;
  if (typeof value === 'string')
    return value.replaceAll(variable, (text, name: string) => {
      if (env[name]) return env[name];
      const isUnset = /^[\w.()-]+$/.test(name);
      const fault = isUnset
        ? `the environment variable ${name} is ${env[name] === '' ? 'empty' : 'not set'}.`
        : `${text} holds more than the name of an environment variable; there are no defaults, and no spaces.`;
      mistakes.push({ path, isUnset, text: fault });
      return text;
    });
  if (Array.isArray(value)) return value.map((item, index) => withVariables(item, env, mistakes, [...path, index]));
  if (isFields(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withVariables(inner, env, mistakes, [...path, name])]),
    );
  return value;
}

// Finds the secrets in a target file, which no report may show.

/** Names of headers with values that grant access. */
const opens = /^(proxy-)?authorization$|^cookie$|key|token|secret|session|passw|signature|credential/i;

/** The secrets in the headers of a target file, and their parts. */
function secretsOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (opens.test(name) ? [value, ...partsOf(value)] : []));
}

/** The values that variables put into headers and inputs. `written`: the target file before they are filled in. */
export function variablesIn(written: unknown, env: Environment): string[] {
  const { headers, workflows, capacity }: Fields = isFields(written) ? written : {};
  const all = [...Object.values(isFields(workflows) ? workflows : {}), isFields(capacity) && capacity.workflow];
  const inputs = all.map((one) => (isFields(one) ? one.inputs : undefined));
  return [headers, ...inputs]
    .flatMap(textsIn)
    .flatMap((text) => [...text.matchAll(/\$\{([^${}]*)\}/g)].flatMap(([, name = '']) => env[name] ?? []));
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)];

/** The token after its scheme, the user and password of Basic, and the value of each cookie. */
function partsOf(value: string): string[] {
  const [, scheme = '', token = ''] = /^(\w+) +(\S+)$/.exec(value) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(token, 'base64').toString().split(':').slice(1) : [];
  const cookies = value
    .split(';')
    .flatMap((part) => (part.includes('=') ? [part.slice(part.indexOf('=') + 1).trim()] : []));
  return [token, ...pair, ...cookies].filter((part) => part !== '');
}

/** Mistakes that a schema does not find: each part of the file is valid, but together they could harm or mislead. */
export function conflicts(file: TargetFile, insecureHttp: boolean): Mistake[] {
  const fault = baseUrlFault(file.baseUrl);
  if (fault) return [{ path: ['baseUrl'], text: `baseUrl ${fault}` }];
  return [
    ...keyConflicts(file, insecureHttp),
    ...headerConflicts(file),
    ...workflowConflicts(file),
    ...fixtureConflicts(file),
  ];
}

function* keyConflicts({ baseUrl, apiKeys = {} }: TargetFile, insecureHttp: boolean): Iterable<Mistake> {
  const { primary, serviceAgents, restricted } = apiKeys;
  const keys = [primary, serviceAgents, restricted?.key, restricted?.serviceAgents].filter((key) => key !== undefined);
  if (keys.length > 0 && isReadable(baseUrl) && !insecureHttp)
    yield {
      path: ['baseUrl'],
      text: 'the API key would be sent unencrypted over plain HTTP; use https://, or allow it with --insecure-http (insecureHttp in a program).',
    };
  for (const name of ['key', 'serviceAgents'] as const) {
    const key = restricted?.[name];
    const same = key !== undefined && Object.entries({ primary, serviceAgents }).find(([, full]) => full === key);
    if (same)
      yield {
        path: ['apiKeys', 'restricted', name],
        text: `apiKeys.restricted.${name} is the same key as apiKeys.${same[0]}: requests that must be refused would be carried out.`,
      };
  }
  if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key)))
    yield {
      path: ['apiKeys'],
      text: 'an API key has a character that a header cannot carry, such as a space or the end of a line.',
    };
}

function* headerConflicts({ headers = {} }: TargetFile): Iterable<Mistake> {
  for (const [name, value] of Object.entries(headers)) {
    const path = ['headers', name];
    if (isKeyHeader(name)) yield { path, text: `headers.${name} carries an API key; keys go under apiKeys.` };
    else if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) yield { path, text: `headers.${name} is not a valid header name.` };
    else if (!/^[\t\x20-\x7e]*$/.test(value))
      yield { path, text: `headers.${name} has a character that a header cannot carry, such as the end of a line.` };
  }
}

interface DeclaredId {
  readonly path: readonly string[];
  /** What it is the id of. */
  readonly kind: string;
  readonly id: string;
}

/** Uses that one workflow can have at the same time: in all of them it completes. */
const completing: readonly WorkflowUse[] = ['completes', 'slow', 'writesFiles', 'capacity'];

/** Finds contradicting declarations of one workflow, under different roles. */
function* workflowConflicts(file: TargetFile): Iterable<Mistake> {
  const all = declaredWorkflows(file);
  for (const [place, [use, { id, ...known }]] of all.entries()) {
    const where = placeOfUse(use);
    if (known.takes !== undefined && !milliseconds(known.takes))
      yield { path: [...where.split('.'), 'takes'], text: `${where}.takes must be more than 0.` };
    for (const name of ['inputs', 'takes', 'cost'] as const) {
      const other = all
        .slice(0, place)
        .find(([, one]) => sameId(one.id, id) && one[name] !== undefined && !equal(one[name], known[name]));
      if (known[name] !== undefined && other)
        yield {
          path: [...where.split('.'), name],
          text: `${where}.${name} differs from ${placeOfUse(other[0])}.${name}, for the same workflow; declare it once.`,
        };
    }
  }
}

function declared({ capacity, tempFile, ...file }: TargetFile): DeclaredId[] {
  const ids: [path: string[], kind: string, id: string | undefined][] = [
    ...declaredWorkflows(file).map(([use, { id }]): [string[], string, string | undefined] => [
      placeOfUse(use).split('.'),
      completing.includes(use) ? 'a workflow that completes' : `a workflow for ${use}`,
      id,
    ]),
    [['execution'], 'an execution', file.execution],
    [['profile'], 'a profile', file.profile],
    [['otherProfile'], 'another profile', file.otherProfile],
    [['scratchProfile'], 'a profile that is changed', file.scratchProfile],
    [['profileGroup'], 'a group to run with', file.profileGroup],
    [['capacity', 'profileGroup'], 'a group that will be full', capacity?.profileGroup],
    [['pool'], 'a group that will be deleted', file.pool],
    [['otherOrganization'], 'an organization', file.otherOrganization],
    [['tempFile', 'id'], 'a temp file', tempFile?.id],
  ];
  return ids.flatMap(([path, kind, id]) => (id === undefined ? [] : [{ path, kind, id }]));
}

/** Finds an id with two meanings, or one that is filled, deleted or changed while it is used for something else. */
function* fixtureConflicts(file: TargetFile): Iterable<Mistake> {
  if (file.stateful === false) return;
  const all = declared(file);
  for (const [place, { path, kind, id }] of all.entries()) {
    const other = all.slice(0, place).find((one) => one.kind !== kind && sameId(one.id, id));
    if (!other) continue;
    const names = [path.join('.'), other.path.join('.')];
    yield {
      path: [...path],
      text: `${names[0]} is ${kind}, and must differ from ${names[1]}, which is ${other.kind}.`,
    };
  }
}

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

type Declared = 'baseUrl' | 'restricted' | 'pace' | 'budget' | 'workflows' | 'inputs' | 'takes' | 'cost' | 'capacity';

/** A target file, with its variables filled in. */
export interface TargetFile extends Partial<Omit<Facts, Declared>> {
  readonly baseUrl: string;
  readonly workflows?: { readonly [role in WorkflowRole]?: string | DeclaredWorkflow };
  readonly capacity?: Omit<NonNullable<Facts['capacity']>, 'workflow'> & {
    readonly workflow: string | DeclaredWorkflow;
  };
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

/** What holds where a target file says nothing. */
export const defaults = {
  stateful: stateful.default,
  allow: allow.default as Effect,
  pace: {
    requestsPerSecond: pace.properties.requestsPerSecond.default,
    concurrency: pace.properties.concurrency.default,
    latencyGraceMs: pace.properties.latencyGraceMs.default,
  },
  budget: { executions: budget.properties.executions.default, copies: budget.properties.copies.default },
} as const satisfies Partial<Facts>;

const inFull = (one: string | DeclaredWorkflow): DeclaredWorkflow => (typeof one === 'string' ? { id: one } : one);

/** The workflow of each use. */
const declaredWorkflows = ({
  workflows = {},
  capacity,
}: Pick<TargetFile, 'workflows' | 'capacity'>): [WorkflowUse, DeclaredWorkflow][] => [
  ...Object.entries(workflows).map(([role, one]): [WorkflowUse, DeclaredWorkflow] => [
    role as WorkflowRole,
    inFull(one),
  ]),
  ...(capacity ? [['capacity', inFull(capacity.workflow)] as [WorkflowUse, DeclaredWorkflow]] : []),
];

/** What is known of the workflows, by use. What is known of none is left out. */
function workflowFacts(file: TargetFile): Pick<Facts, 'workflows' | 'inputs' | 'takes' | 'cost' | 'capacity'> {
  const all = declaredWorkflows(file);
  const { capacity } = file;
  const of = <T>(pick: (one: DeclaredWorkflow) => T | undefined) =>
    Object.fromEntries(all.flatMap(([use, one]) => (pick(one) === undefined ? [] : [[use, pick(one) as T]])));
  const declared = {
    inputs: of(({ inputs }) => inputs),
    takes: of(({ takes }) => milliseconds(takes ?? '')),
    cost: of(({ cost }) => cost),
  };
  const { capacity: filling, ...workflows } = of(({ id }) => id);
  return {
    workflows,
    ...(capacity && filling !== undefined && { capacity: { ...capacity, workflow: filling } }),
    ...Object.fromEntries(Object.entries(declared).filter(([, byRole]) => Object.keys(byRole).length > 0)),
  };
}

/** The target that a file describes, with the defaults of the schema. Checks nothing. */
export function toTarget(written: TargetFile): Target {
  const { $schema, apiKeys = {}, headers = {}, clientCertificate, hooks, workflows, capacity, ...file } = written;
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
