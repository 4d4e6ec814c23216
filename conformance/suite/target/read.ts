/** Reads, checks and makes targets: from a target file or a base URL, with the options of the command line. */

import { dirname, resolve } from 'node:path';
import { target as validate } from '../../../generated/settings.js';
import { type Fields, isFields } from '../../engine/outcome/read.js';
import type { Target } from '../../engine/send/request-spec.js';
import { baseUrlFault, isLoopback, type Mistake, readText, SettingsError } from '../../engine/settings/file.js';
import { allows } from '../../engine/settings/needs.js';
import { firstMistakes, mistakesBy, parseSettings } from '../../engine/settings/parse.js';
import type { Effect } from '../../engine/vocabulary.js';
import {
  conflicts,
  defaults,
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
  found.push(...mistakes(value).filter(({ path, isUnknown }) => isUnknown || !incomplete.has(path.join())));
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

/** What a command line sets in addition to a target file, or instead of one. */
export interface TargetOptions {
  /** Overrides that of the file. */
  readonly baseUrl?: string;
  /** Overrides that of the file. */
  readonly allow?: Effect;
  /** Overrides those parts of the file's budget that it has. */
  readonly budget?: TargetFile['budget'];
  /** Only reads, and sends nothing that an intrusion detection system would report, whatever the file allows. */
  readonly gentle?: boolean;
  /** Allows keys to be sent over plain HTTP to another machine. */
  readonly insecureHttp?: boolean;
  /** The variables of keys and headers need not be set. */
  readonly sendsNothing?: boolean;
}

/** The target at a base URL, without a target file; its key is `WORKFLOW_API_KEY`. Throws a SettingsError. */
export function makeTarget(baseUrl: string, env: Environment, options: Omit<TargetOptions, 'baseUrl'> = {}): Target {
  refuseBaseUrl(baseUrl);
  const file = withKey(withOverrides({ baseUrl }, options), env);
  return throwIfWrong(file, conflicts(file, options.insecureHttp ?? false));
}

/** A target file with what the command line sets. */
export function withOverrides(file: TargetFile, { allow, budget, gentle }: TargetOptions): TargetFile {
  const { allow: allowed = defaults.allow, budget: { executions, places } = {} } = file;
  const isLess = (one: number | undefined, other = Number.POSITIVE_INFINITY) => one !== undefined && one < other;
  const smaller = [
    ...(gentle ? ['--gentle'] : []),
    ...(allow && !allows(allow, allowed) ? [`--allow ${allow} (the file has ${allowed})`] : []),
    ...(isLess(budget?.executions, executions) ? [`--max-executions ${budget?.executions}`] : []),
    ...(isLess(budget?.places, places) ? [`--places ${budget?.places}`] : []),
  ];
  return {
    ...file,
    ...(allow && { allow }),
    ...(gentle && { gentle, allow: 'read' }),
    ...(budget && { budget: { ...file.budget, ...budget } }),
    ...(smaller.length > 0 && { smaller }),
  };
}

function refuseBaseUrl(baseUrl: string | undefined): void {
  const fault = baseUrl === undefined ? undefined : baseUrlFault(baseUrl);
  if (fault) throw new SettingsError('the base URL', [`the base URL ${fault}`]);
}

function throwIfWrong(file: TargetFile, found: readonly Mistake[]): Target {
  const lines = found.map(({ text }) => text);
  if (lines.length > 0) throw new SettingsError('the target', lines);
  return toTarget(file);
}

/** Takes the key from `WORKFLOW_API_KEY` if the file has none. */
export function withKey(file: TargetFile, { WORKFLOW_API_KEY: key }: Environment): TargetFile {
  return file.apiKeys?.primary || !key ? file : { ...file, apiKeys: { ...file.apiKeys, primary: key } };
}
