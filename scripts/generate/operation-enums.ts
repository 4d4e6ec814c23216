import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Schemas of users' files that contain lists of operations. */
const files = ['conformance/suite/target/target.schema.json', 'conformance/engine/settings/baseline.schema.json'];

/** Matches such a list. Its comment names what it contains besides operations: `"$comment": "operations, run"`. */
const list = /^( *)("\$comment": "operations((?:, \w+)*)",\s*"enum": )\[[^\]]*\]/gm;

/** Matches the form of an id. Its comment names the parameter of paths that has it: `"$comment": "the form of poolId"`. */
const form =
  /("\$comment": "the form of (\w+)",\s*)"description": "[^"]*",(\s*"type": "string",\s*)"pattern": "(?:[^"\\]|\\.)*"/g;
const uuid = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';
/** A text that has a variable of the environment in it. */
const variable = '\\$\\{\\w+\\}';

/** The forms of ids that are no UUIDs, by the names of their parameters. */
export type Forms = Readonly<Record<string, { readonly pattern: string; readonly sample: string }>>;

/** These schemas with the current operations and forms of ids, by their path in the repository. */
export const withOperations = async (ids: readonly string[], forms: Forms): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      files.map(async (file) => [file, formed(listed(await readFile(join(root, file), 'utf8'), ids), forms)] as const),
    ),
  );

/** Fills the forms of ids in a handwritten schema. */
export const formed = (schema: string, forms: Forms): string =>
  schema.replaceAll(form, (_, before: string, name: string, type: string) => {
    const { pattern, sample } = forms[name] ?? { pattern: uuid };
    const description = JSON.stringify(sample === undefined ? 'a UUID' : `an id like ${sample}`);
    return `${before}"description": ${description},${type}"pattern": ${JSON.stringify(`${pattern}|${variable}`)}`;
  });

/** Fills the lists of operations in a handwritten schema. */
export const listed = (schema: string, ids: readonly string[]): string =>
  schema.replaceAll(list, (_, indent: string, before: string, others: string) => {
    const names = [...ids, ...others.split(', ').slice(1)];
    const lines = names.map((name) => `${indent}  ${JSON.stringify(name)}`);
    return `${indent}${before}[\n${lines.join(',\n')}\n${indent}]`;
  });
