import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The schemas of files that users write, in which operations are listed. */
const files = ['conformance/suite/target/target.schema.json', 'conformance/engine/settings/baseline.schema.json'];

/** After `operations`, what else stands in the list: `"$comment": "operations, run"`. */
const list = /^( *)("\$comment": "operations((?:, \w+)*)",\s*"enum": )\[[^\]]*\]/gm;

/** Those schemas with the operations of the contract, by their paths in the repository. */
export const withOperations = async (ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      files.map(async (file) => [file, listed(await readFile(join(root, file), 'utf8'), ids)] as const),
    ),
  );

/** A schema with the operations in each list of them, which people write around it. */
export const listed = (schema: string, ids: readonly string[]): string =>
  schema.replaceAll(list, (_, indent: string, before: string, others: string) => {
    const names = [...ids, ...others.split(', ').slice(1)];
    const lines = names.map((name) => `${indent}  ${JSON.stringify(name)}`);
    return `${indent}${before}[\n${lines.join(',\n')}\n${indent}]`;
  });
