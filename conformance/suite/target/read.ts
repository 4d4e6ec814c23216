/** Reads and checks target files. */

import { dirname, resolve } from 'node:path';
import { target as validate } from '../../../generated/settings.js';
import { type Fields, isFields } from '../../engine/outcome/read.js';
import { isLoopback, type Mistake, readText } from '../../engine/settings/file.js';
import { firstMistakes, mistakesBy, parseSettings } from '../../engine/settings/parse.js';
import type { Target } from '../../engine/vocabulary.js';
import { refuseBaseUrl, type TargetOptions, throwIfWrong, withKey, withOverrides } from './make.js';
import {
  conflicts,
  type Environment,
  namesVariable,
  type TargetFile,
  toTarget,
  type VariableMistake,
  variablesIn,
  withVariables,
} from './target.js';
import schema from './target.schema.json' with { type: 'json' };

const mistakes = mistakesBy(schema, validate);

/** In bytes. A target file names a few dozen things. */
const longestFile = 128 * 1024;

/** What is only needed to send requests. */
const sent: readonly unknown[] = ['apiKeys', 'headers', 'clientCertificate'];

/**
 * Reads a target file (docs/check.md), YAML or JSON. Without a key, it takes that of `WORKFLOW_API_KEY`. Throws a
 * SettingsError that lists every mistake in the file, with its place.
 */
export function readTarget(file: string, env: Environment, options: TargetOptions = {}): Target {
  const target = parseTarget(file, readText(file, longestFile), env, options);
  const { clientCertificate: client } = target;
  if (!client) return target;
  const beside = (path: string) => resolve(dirname(file), path);
  return {
    ...target,
    clientCertificate: { ...client, certificate: beside(client.certificate), key: beside(client.key) },
  };
}

/** Like `readTarget`, for a text; `name` is what errors call it. */
export function parseTarget(name: string, text: string, env: Environment, options: TargetOptions = {}): Target {
  refuseBaseUrl(options.baseUrl);
  const settings = parseSettings(name, text);
  const unset: VariableMistake[] = [];
  const value = at(options.baseUrl, withVariables(settings.value, env, unset));
  const found: Mistake[] = unset.filter(
    ({ path, isUnset }) => !(isUnset && options.sendsNothing && sent.includes(path[0])),
  );
  // A value with a missing variable is incomplete, so its other mistakes are not reported.
  const incomplete = new Set(unset.map(({ path }) => path.join()));
  found.push(...mistakes(value).filter(({ path }) => !incomplete.has(path.join())));
  if (found.length > 0) throw settings.error(firstMistakes(found));

  const file = withKey(withOverrides(value as TargetFile, options), env);
  found.push(...conflicts(file, options.insecureHttp ?? false), ...literalKeys(settings.value as Fields, file));
  if (found.length > 0) throw settings.error(found);
  const target = toTarget(file);
  return { ...target, secrets: [...target.secrets, ...variablesIn(settings.value, env)] };
}

/** The target that a program describes, with keys in clear text. Throws a SettingsError that lists every mistake. */
export function checkedTarget(
  file: TargetFile,
  { insecureHttp = false }: Pick<TargetOptions, 'insecureHttp'> = {},
): Target {
  const found = mistakes(file);
  return throwIfWrong(file, found.length > 0 ? found : conflicts(file, insecureHttp));
}

/** The base URL of the command line replaces the file's before it is checked. */
const at = (baseUrl: string | undefined, value: unknown): unknown =>
  isFields(value) && baseUrl !== undefined ? { ...value, baseUrl } : value;

/** Finds keys in the file itself, which may end up in a repository. A service on this machine has none worth hiding. */
function literalKeys(written: Fields, { baseUrl }: TargetFile): Mistake[] {
  const { primary, serviceAgents, restricted } = (written.apiKeys ?? {}) as NonNullable<TargetFile['apiKeys']>;
  const keys = [
    { path: ['apiKeys', 'primary'], key: primary },
    { path: ['apiKeys', 'serviceAgents'], key: serviceAgents },
    { path: ['apiKeys', 'restricted', 'key'], key: restricted?.key },
    { path: ['apiKeys', 'restricted', 'serviceAgents'], key: restricted?.serviceAgents },
  ];
  return keys
    .filter(({ key }) => key !== undefined && !namesVariable(key) && !isLoopback(baseUrl))
    .map(({ path }) => ({
      path,
      text: `${path.join('.')} holds a key; put it in an environment variable and write \${NAME_OF_IT} here.`,
    }));
}
