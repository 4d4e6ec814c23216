import { dirname, resolve } from 'node:path';
import { type Fields, isFields } from '../../evidence/read.js';
import type { Effect } from '../../vocabulary.js';
import { type Mistake, parseSettings, readText, SettingsError } from '../file.js';
import { few, mistakesBy } from '../mistakes.js';
import { baseUrlFault, isLoopback } from './base-url.js';
import { conflicts } from './conflicts.js';
import { type Environment, filled, namesVariable } from './environment.js';
import { variablesIn } from './secrets.js';
import { type Target, type TargetFile, toTarget } from './target.js';
import schema from './target.schema.json' with { type: 'json' };

const mistakes = mistakesBy(schema);

export interface TargetOptions {
  /** Wins over the file's. */
  readonly baseUrl?: string;
  /** Wins over the file's. */
  readonly allow?: Effect;
  /** A key may go over plain HTTP to another machine. */
  readonly insecureHttp?: boolean;
  /** The variables of keys and headers need not be set. */
  readonly sendsNothing?: boolean;
}

/** Bytes: a target file names a few dozen things. */
const longestFile = 128 * 1024;

/** What only a sender needs. */
const sent: readonly unknown[] = ['apiKeys', 'headers', 'clientCertificate'];

/**
 * Reads a target file (conformance.md), YAML or JSON. A key that it leaves out is `WORKFLOW_API_KEY`.
 * Throws a SettingsError that tells every mistake in it, with its place.
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

/** `readTarget` for a text that is at hand; `name` is what it is called in errors. */
export function parseTarget(name: string, text: string, env: Environment, options: TargetOptions = {}): Target {
  refuseBaseUrl(options.baseUrl);
  const settings = parseSettings(name, text);
  const unset: Mistake[] = [];
  const value = overridden(filled(settings.value, env, unset), options);
  const found = unset.filter(({ path }) => !options.sendsNothing || !sent.includes(path[0]));
  // Of a text that lacks a part nothing else is told.
  const incomplete = new Set(unset.map(({ path }) => path.join()));
  found.push(...mistakes(value).filter(({ path }) => !incomplete.has(path.join())));
  if (found.length > 0) throw settings.error(few(found));

  const file = withKey(value as TargetFile, env);
  found.push(...conflicts(file, options.insecureHttp ?? false), ...literalKeys(settings.value as Fields, file));
  if (found.length > 0) throw settings.error(found);
  const target = toTarget(file);
  return { ...target, secrets: [...target.secrets, ...variablesIn(settings.value, env)] };
}

/** The target at a base URL of which nothing else is known; its key is `WORKFLOW_API_KEY`. Throws a SettingsError. */
export function makeTarget(baseUrl: string, env: Environment, options: Omit<TargetOptions, 'baseUrl'> = {}): Target {
  refuseBaseUrl(baseUrl);
  const file = withKey({ baseUrl, ...(options.allow && { allow: options.allow }) }, env);
  return unlessWrong(file, conflicts(file, options.insecureHttp ?? false));
}

/** The target that a program describes, keys in clear. Throws a SettingsError that tells every mistake in it. */
export function checkedTarget(
  file: TargetFile,
  { insecureHttp = false }: Pick<TargetOptions, 'insecureHttp'> = {},
): Target {
  const found = mistakes(file);
  return unlessWrong(file, found.length > 0 ? found : conflicts(file, insecureHttp));
}

function unlessWrong(file: TargetFile, found: readonly Mistake[]): Target {
  const lines = found.map(({ text }) => text);
  if (lines.length > 0) throw new SettingsError('the target', lines);
  return toTarget(file);
}

function refuseBaseUrl(baseUrl: string | undefined): void {
  const fault = baseUrl === undefined ? undefined : baseUrlFault(baseUrl);
  if (fault) throw new SettingsError('the base URL', [`the base URL ${fault}`]);
}

const overridden = (value: unknown, { baseUrl, allow }: TargetOptions): unknown =>
  isFields(value) ? { ...value, ...(baseUrl !== undefined && { baseUrl }), ...(allow && { allow }) } : value;

function withKey(file: TargetFile, { WORKFLOW_API_KEY: key }: Environment): TargetFile {
  return file.apiKeys?.primary || !key ? file : { ...file, apiKeys: { ...file.apiKeys, primary: key } };
}

/** A key in a file ends up in a repository. A service on this machine has none worth keeping. */
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
