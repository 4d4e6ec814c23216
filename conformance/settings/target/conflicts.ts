import { operationIds, operations } from '../../../generated/operations.js';
import type { Mistake } from '../file.js';
import { baseUrlFault, isReadable } from './base-url.js';
import type { TargetFile } from './target.js';

const keyHeaders = new Set(operationIds.map((id) => operations[id].keyHeader.toLowerCase()));

/** Mistakes that a schema does not find: each part of the file is right, and it could harm or mislead all the same. */
export function conflicts(file: TargetFile, insecureHttp: boolean): Mistake[] {
  const fault = baseUrlFault(file.baseUrl);
  if (fault) return [{ path: ['baseUrl'], text: `baseUrl ${fault}` }];
  return [...keyConflicts(file, insecureHttp), ...headerConflicts(file), ...fixtureConflicts(file)];
}

function* keyConflicts({ baseUrl, apiKeys = {} }: TargetFile, insecureHttp: boolean): Iterable<Mistake> {
  const { primary, serviceAgents, restricted } = apiKeys;
  const keys = [primary, serviceAgents, restricted?.key, restricted?.serviceAgents].filter((key) => key !== undefined);
  if (keys.length > 0 && isReadable(baseUrl) && !insecureHttp)
    yield {
      path: ['baseUrl'],
      text: 'the API key would go over plain HTTP for all to read; take https://, or allow it with --insecure-http (insecureHttp in a program).',
    };
  if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key)))
    yield {
      path: ['apiKeys'],
      text: 'an API key has a character that a header cannot carry, such as a space or the end of a line.',
    };
}

function* headerConflicts({ headers = {} }: TargetFile): Iterable<Mistake> {
  for (const [name, value] of Object.entries(headers)) {
    const path = ['headers', name];
    if (keyHeaders.has(name.toLowerCase())) yield { path, text: `headers.${name} is a key's; keys go under apiKeys.` };
    else if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) yield { path, text: `headers.${name} is no name of a header.` };
    else if (!/^[\t\x20-\x7e]*$/.test(value))
      yield { path, text: `headers.${name} has a character that a header cannot carry, such as the end of a line.` };
  }
}

function* fixtureConflicts({ profile, otherProfile, pool, profileGroup, capacity }: TargetFile): Iterable<Mistake> {
  if (profile !== undefined && profile === otherProfile)
    yield { path: ['otherProfile'], text: 'otherProfile must be another than profile.' };
  if (pool !== undefined && [profileGroup, capacity?.profileGroup].includes(pool))
    yield { path: ['pool'], text: 'pool will be deleted; it must be another than every profileGroup.' };
  if (capacity && capacity.profileGroup === profileGroup)
    yield {
      path: ['capacity', 'profileGroup'],
      text: 'capacity.profileGroup will be full; profileGroup must be another.',
    };
}
