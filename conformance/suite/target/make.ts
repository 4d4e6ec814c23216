/** Makes the target of a run, from a target file or a base URL, with the options of the command line. */

import { baseUrlFault, type Mistake, SettingsError } from '../../engine/settings/file.js';
import { allows } from '../../engine/settings/needs.js';
import type { Effect, Target } from '../../engine/vocabulary.js';
import { conflicts, defaults, type Environment, type TargetFile, toTarget } from './target.js';

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

export function refuseBaseUrl(baseUrl: string | undefined): void {
  const fault = baseUrl === undefined ? undefined : baseUrlFault(baseUrl);
  if (fault) throw new SettingsError('the base URL', [`the base URL ${fault}`]);
}

export function throwIfWrong(file: TargetFile, found: readonly Mistake[]): Target {
  const lines = found.map(({ text }) => text);
  if (lines.length > 0) throw new SettingsError('the target', lines);
  return toTarget(file);
}

/** Takes the key from `WORKFLOW_API_KEY` if the file has none. */
export function withKey(file: TargetFile, { WORKFLOW_API_KEY: key }: Environment): TargetFile {
  return file.apiKeys?.primary || !key ? file : { ...file, apiKeys: { ...file.apiKeys, primary: key } };
}
