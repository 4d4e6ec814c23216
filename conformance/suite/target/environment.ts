import { isFields } from '../../engine/outcome/read.js';
import type { Mistake, Path } from '../../engine/settings/file.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const variable = /\$\{([^${}]*)\}/g;

export const namesVariable = (text: string): boolean => text.search(variable) >= 0;

/** A mistake of what stands in `${…}`. */
export interface Unfilled extends Mistake {
  /** It is the name of a variable that is not there: no mistake of the file. */
  readonly isUnset: boolean;
}

/** A copy of the value in which every `${NAME}` in a string is that environment variable; a missing one is a mistake. */
export function filled(value: unknown, env: Environment, mistakes: Unfilled[], path: Path = []): unknown {
  // A shell fills in what is in a command: no text of a variable becomes one.
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
  if (Array.isArray(value)) return value.map((item, index) => filled(item, env, mistakes, [...path, index]));
  if (isFields(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, filled(inner, env, mistakes, [...path, name])]),
    );
  return value;
}
