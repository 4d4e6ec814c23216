/** Reads and checks YAML sources. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Parts of schemas for the YAML sources beside the contract. */
export const slug = { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' };
export const text = { type: 'string', minLength: 1 };
export const texts = { type: 'array', minItems: 1, uniqueItems: true, items: text };
export const listOf = (properties: object, required: string[]) => ({
  type: 'array',
  items: { type: 'object', properties, required, additionalProperties: false },
});

/** Reads a YAML file and validates it. Throws one error that lists all mistakes with their entries. */
export function readSource<T>(file: string, name: string, schema: object): T {
  let content: unknown;
  try {
    content = parseYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
  refuse(file, [...shapeMistakes(content, name, schema)]);
  return content as T;
}

/** Throws one error for all mistakes of a file, if there are any. */
export function refuse(file: string, mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new Error(`${file}:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
}

function* shapeMistakes(content: unknown, name: string, schema: object): Generator<string> {
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true }).compile(schema);
  if (validate(content)) return;
  for (const { instancePath, message, params } of validate.errors ?? []) {
    const [list, index, ...rest] = instancePath.split('/').slice(1);
    const entry = (content as Record<string, { id?: unknown }[] | undefined>)[list ?? '']?.[Number(index)];
    const where = [list, index && (typeof entry?.id === 'string' ? entry.id : index), ...rest]
      .filter(Boolean)
      .join('.');
    const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: string[] };
    yield `${where || name} ${message}${additionalProperty ? `: ${additionalProperty}` : ''}${allowedValues ? `: ${allowedValues.join(', ')}` : ''}`;
  }
}

/** Keywords that hold values, where null is allowed. */
const values = ['default', 'enum', 'const', 'example', 'examples', 'value', 'payload'];

/** Throws for a keyword without a value, such as `properties:` whose last property was removed. */
export function refuseEmpty(sources: string): void {
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.yaml')) continue;
    const file = join(sources, name);
    let content: unknown;
    try {
      content = parseYaml(readFileSync(file, 'utf8'));
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`);
    }
    refuse(
      file,
      emptyIn(content).map((place) => `${place} has nothing in it: fill it, or take it out`),
    );
  }
}

function emptyIn(node: unknown, path: readonly string[] = []): string[] {
  if (node === null) return [path.join('.')];
  if (typeof node !== 'object') return [];
  return Object.entries(node as object).flatMap(([key, inner]) =>
    values.includes(key) ? [] : emptyIn(inner, [...path, key]),
  );
}
