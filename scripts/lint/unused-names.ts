import { operationsIn } from '../diff/operations.js';
import { type Document, readOperations } from '../generate/document.js';

type Named = Readonly<Record<string, unknown>>;
/** What the contract and its register list by name, for others to use. */
export type Lists = Document & { readonly tags?: readonly { readonly name: string }[] };

/** The tags, resources and keys that no operation has, and the sections of the register of which nothing is said. */
export function unusedNames(document: Lists, ...register: readonly Named[]): string[] {
  const operations = readOperations(document).map(({ traits }) => traits);
  const nodes = [...operationsIn(document).values()].map(({ node }) => node);
  const keys = [document.security, ...nodes.map(({ security }) => security)].flatMap((all = []) =>
    (all as Named[]).flatMap(Object.keys),
  );
  const entries = register.flatMap(Object.values).flatMap((list) => (Array.isArray(list) ? (list as Named[]) : []));
  const lists: [what: string, names: readonly string[], used: readonly unknown[]][] = [
    ['tag', (document.tags ?? []).map(({ name }) => name), nodes.flatMap(({ tags }) => tags)],
    [
      'resource',
      Object.keys(document['x-resources'] ?? {}),
      operations.flatMap(({ resource, subject }) => [resource, subject]),
    ],
    ['security scheme', Object.keys(document.components.securitySchemes), keys],
    [
      'section',
      register.flatMap(({ sections = {} }) => Object.keys(sections as Named)),
      entries.flatMap(({ source, where }) => [source, where]),
    ],
  ];
  return lists.flatMap(([what, names, used]) =>
    names.filter((name) => !used.includes(name)).map((name) => `the ${what} ${name}`),
  );
}
