/** Finds the secrets in a target file, which no report may show. */

import { type Fields, isFields } from '../../engine/outcome/read.js';
import type { Environment } from './environment.js';

/** Names of headers with values that grant access. */
const opens = /^(proxy-)?authorization$|^cookie$|key|token|secret|session|passw|signature|credential/i;

/** The secrets in the headers of a target file, and their parts. */
export function secretsOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (opens.test(name) ? [value, ...partsOf(value)] : []));
}

/** The values that variables put into headers and inputs. `written`: the target file before they are filled in. */
export function variablesIn(written: unknown, env: Environment): string[] {
  const { headers, workflows }: Fields = isFields(written) ? written : {};
  const inputs = isFields(workflows)
    ? Object.values(workflows).map((one) => (isFields(one) ? one.inputs : undefined))
    : [];
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
