import type { Effect, Target } from '../conformance/engine/vocabulary.js';
import { makeTarget } from '../conformance/suite/target/make.js';
import type { Context } from './context.js';
import { UsageError } from './errors.js';

/** What names a target, and what is said of it beside its file. */
export interface TargetArguments {
  readonly target?: string;
  readonly allow?: Effect;
  readonly plan?: boolean;
  readonly insecureHttp?: boolean;
}

/**
 * The target that the arguments of `check` name: its file, its base URL, or none. Throws a SettingsError.
 * What reads files is loaded where there is one.
 */
export async function namedTarget(
  baseUrl: string | undefined,
  { target: file, insecureHttp = false, plan: sendsNothing = false, allow }: TargetArguments,
  env: Context['env'],
): Promise<Target | undefined> {
  const options = { insecureHttp, sendsNothing, ...(allow && { allow }) };
  if (file !== undefined && /^https?:\/\//i.test(file))
    throw new UsageError('--target takes a file, not a base URL; give the base URL without --target.');
  if (file === undefined) return baseUrl === undefined ? undefined : makeTarget(baseUrl, env, options);
  const { readTarget } = await import('../conformance/suite/target/read.js');
  return readTarget(file, env, { ...options, ...(baseUrl !== undefined && { baseUrl }) });
}
