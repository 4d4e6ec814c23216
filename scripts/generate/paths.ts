import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { refuse } from './source.js';

const root = 'openapi.yaml';
const list = /(?<=^paths:\n)(?: {2}\S+:\n {4}\$ref: \S+\n)*(?=\S)/m;

/** The root document with an entry for each file of `paths/`, at its `x-path`. Listed entries keep their order. */
export function withPaths(sources: string): string {
  const text = readFileSync(join(sources, root), 'utf8');
  const listed = list.exec(text)?.[0];
  if (listed === undefined)
    throw new Error(
      `${join(sources, root)}: under paths: there is more than a $ref for each path. Give each a file in paths/.`,
    );
  const place = (file: string) => listed.indexOf(`$ref: ${file}\n`) >>> 0;
  const files = readdirSync(join(sources, 'paths')).map((name) => `paths/${name}`);
  const entries = files
    .toSorted((a, b) => place(a) - place(b))
    .map((file) => {
      const { 'x-path': path } = parseYaml(readFileSync(join(sources, file), 'utf8')) as { 'x-path'?: unknown };
      return { file, path };
    });
  refuse(
    join(sources, root),
    entries.flatMap(({ file, path }, place) => {
      if (typeof path !== 'string') return `${file} has no x-path, which says where its operations are`;
      const other = entries.slice(0, place).find((one) => one.path === path);
      return other ? `${file} and ${other.file} have one x-path: a file has all operations of a path` : [];
    }),
  );
  return text.replace(list, () => entries.map(({ file, path }) => `  ${path}:\n    $ref: ${file}\n`).join(''));
}

/** Throws if the root document is not up to date with the files of `paths/`. */
export function refuseUnlisted(sources: string): void {
  if (readFileSync(join(sources, root), 'utf8') !== withPaths(sources))
    throw new Error(`${join(sources, root)} does not list the paths as the files of paths/ are: npm run generate.`);
}
