import { isFields } from '../../engine/outcome/read.js';
import type { Mistake, Path } from '../../engine/settings/file.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const variable = /\$\{([^${}]*)\}/g;

export const namesVariable = (text: string): boolean => text.search(variable) >= 0;

/** A mistake in a `${…}`. */
export interface VariableMistake extends Mistake {
  /** The variable is not set: that is no mistake of the file. */
  readonly isUnset: boolean;
}

/** Replaces each `${NAME}` in the strings of a value by that environment variable. A missing one is a mistake. */
export function withVariables(value: unknown, env: Environment, mistakes: VariableMistake[], path: Path = []): unknown {
  // The shell expands variables in commands, so that their contents are never parsed as a command.
  if (path[0] === 'hooks') return value;
  if (typeof value === 'string')
    return value.replaceAll(variable, (text, name: string) => {
      if (env[name]) return env[name];
      const isUnset = /^[\w.()-]+$/.test(name);
      const fault = isUnset
        ? `the environment variable ${name} is ${env[name] === '' ? 'empty' : 'not set'}.`
        : `${text} holds more than the name of an environment variable; there are no defaults, and no spaces.`;
      mistakes.push({ path, isUnset, text: fault });
      return text;
    });
  if (Array.isArray(value)) return value.map((item, index) => withVariables(item, env, mistakes, [...path, index]));
  if (isFields(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withVariables(inner, env, mistakes, [...path, name])]),
    );
  return value;
}
