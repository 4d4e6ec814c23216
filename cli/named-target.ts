/** Reads the target from the arguments of `check`. */

import { UserError } from '../common/user-error.js';
import type { Target } from '../conformance/engine/send/request-spec.js';
import type { Effect } from '../conformance/engine/vocabulary.js';
import { makeTarget, type TargetOptions } from '../conformance/suite/target/read.js';
import type { Context } from './context.js';

/** The arguments that name a target, or override its file. */
export interface TargetArguments {
  readonly target?: string;
  readonly allow?: Effect;
  readonly plan?: boolean;
  readonly insecureHttp?: boolean;
  readonly gentle?: boolean;
  readonly maxExecutions?: number;
  readonly places?: number;
}

/** What the arguments override in a target. */
export const overridesOf = ({
  allow,
  gentle,
  maxExecutions,
  places,
}: TargetArguments): Pick<TargetOptions, 'allow' | 'budget' | 'gentle'> => ({
  ...(allow && { allow }),
  ...(gentle && { gentle }),
  budget: {
    ...(maxExecutions !== undefined && { executions: maxExecutions }),
    ...(places !== undefined && { places }),
  },
});

/**
 * The target that the arguments of `check` name, by its file or base URL; undefined if they name none. Throws a
 * SettingsError. Imports what reads files only if there is one.
 */
export async function namedTarget(
  baseUrl: string | undefined,
  args: TargetArguments,
  env: Context['env'],
): Promise<Target | undefined> {
  const { target: file, insecureHttp = false, plan: sendsNothing = false } = args;
  const options = { insecureHttp, sendsNothing, ...overridesOf(args) };
  if (file !== undefined && /^https?:\/\//i.test(file))
    throw new UserError('--target takes a file, not a base URL; give the base URL without --target.');
  if (file === undefined) return baseUrl === undefined ? undefined : makeTarget(baseUrl, env, options);
  const { readTarget } = await import('../conformance/suite/target/read.js');
  return readTarget(file, env, { ...options, ...(baseUrl !== undefined && { baseUrl }) });
}
