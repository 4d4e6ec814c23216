import { isKeyHeader } from '../../engine/outcome/read.js';
import { equal, sameId } from '../../engine/rule/values.js';
import { baseUrlFault, isReadable, milliseconds } from '../../engine/settings/base-url.js';
import type { Mistake } from '../../engine/settings/file.js';
import { declaredWorkflows, type TargetFile } from './target.js';

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

/** Roles that one workflow can have at the same time: in all of them it completes. */
const completing = ['completes', 'slow', 'writesFiles'];

/** Finds contradicting declarations of one workflow, under different roles. */
function* workflowConflicts(file: TargetFile): Iterable<Mistake> {
  const all = declaredWorkflows(file);
  for (const [place, [role, { id, ...known }]] of all.entries()) {
    if (known.takes !== undefined && !milliseconds(known.takes))
      yield { path: ['workflows', role, 'takes'], text: `workflows.${role}.takes must be more than 0.` };
    for (const name of ['inputs', 'takes', 'cost'] as const) {
      const other = all
        .slice(0, place)
        .find(([, one]) => sameId(one.id, id) && one[name] !== undefined && !equal(one[name], known[name]));
      if (known[name] !== undefined && other)
        yield {
          path: ['workflows', role, name],
          text: `workflows.${role}.${name} differs from workflows.${other[0]}.${name}, for the same workflow; declare it once.`,
        };
    }
  }
}

function declared({ capacity, tempFile, ...file }: TargetFile): DeclaredId[] {
  const ids: [path: string[], kind: string, id: string | undefined][] = [
    ...declaredWorkflows(file).map(([role, { id }]): [string[], string, string | undefined] => [
      ['workflows', role],
      completing.includes(role) ? 'a workflow that completes' : `a workflow for ${role}`,
      id,
    ]),
    [['capacity', 'workflow'], 'a workflow that completes', capacity?.workflow],
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
