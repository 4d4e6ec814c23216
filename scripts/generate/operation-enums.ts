import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Schemas of users' files that contain lists of operations. */
const files = ['conformance/suite/target/target.schema.json', 'conformance/engine/settings/baseline.schema.json'];

/** Matches such a list. Its comment names what it contains besides operations: `"$comment": "operations, run"`. */
const list = /^( *)("\$comment": "operations((?:, \w+)*)",\s*"enum": )\[[^\]]*\]/gm;

/** These schemas with the current operations, by their path in the repository. */
export const withOperations = async (ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      files.map(async (file) => [file, listed(await readFile(join(root, file), 'utf8'), ids)] as const),
    ),
  );

/** Fills the lists of operations in a handwritten schema. */
export const listed = (schema: string, ids: readonly string[]): string =>
  schema.replaceAll(list, (_, indent: string, before: string, others: string) => {
    const names = [...ids, ...others.split(', ').slice(1)];
    const lines = names.map((name) => `${indent}  ${JSON.stringify(name)}`);
    return `${indent}${before}[\n${lines.join(',\n')}\n${indent}]`;
  });
