import { isFields } from '../../evidence/read.js';
import type { Mistake, Path } from '../file.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const variable = /\$\{([^${}]*)\}/g;

export const namesVariable = (text: string): boolean => text.search(variable) >= 0;

/** A copy of the value in which every `${NAME}` in a string is that environment variable; a missing one is a mistake. */
export function filled(value: unknown, env: Environment, mistakes: Mistake[], path: Path = []): unknown {
  if (typeof value === 'string')
    return value.replaceAll(variable, (text, name: string) => {
      if (env[name]) return env[name];
      mistakes.push({ path, text: `the environment variable ${name} is ${env[name] === '' ? 'empty' : 'not set'}.` });
      return text;
    });
  if (Array.isArray(value)) return value.map((item, index) => filled(item, env, mistakes, [...path, index]));
  if (isFields(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, filled(inner, env, mistakes, [...path, name])]),
    );
  return value;
}
