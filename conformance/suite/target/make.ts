import { baseUrlFault } from '../../engine/settings/base-url.js';
import { type Mistake, SettingsError } from '../../engine/settings/file.js';
import type { Effect, Target } from '../../engine/vocabulary.js';
import { conflicts } from './conflicts.js';
import type { Environment } from './environment.js';
import { type TargetFile, toTarget } from './target.js';

/** What a command line says beside a target file, or in place of one. */
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

/** The target at a base URL of which nothing else is known; its key is `WORKFLOW_API_KEY`. Throws a SettingsError. */
export function makeTarget(baseUrl: string, env: Environment, options: Omit<TargetOptions, 'baseUrl'> = {}): Target {
  refuseBaseUrl(baseUrl);
  const file = withKey({ baseUrl, ...(options.allow && { allow: options.allow }) }, env);
  return unlessWrong(file, conflicts(file, options.insecureHttp ?? false));
}

export function refuseBaseUrl(baseUrl: string | undefined): void {
  const fault = baseUrl === undefined ? undefined : baseUrlFault(baseUrl);
  if (fault) throw new SettingsError('the base URL', [`the base URL ${fault}`]);
}

export function unlessWrong(file: TargetFile, found: readonly Mistake[]): Target {
  const lines = found.map(({ text }) => text);
  if (lines.length > 0) throw new SettingsError('the target', lines);
  return toTarget(file);
}

/** A key that a file leaves out is `WORKFLOW_API_KEY`. */
export function withKey(file: TargetFile, { WORKFLOW_API_KEY: key }: Environment): TargetFile {
  return file.apiKeys?.primary || !key ? file : { ...file, apiKeys: { ...file.apiKeys, primary: key } };
}
