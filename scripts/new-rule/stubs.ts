/** The stubs of a new rule. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The words of a stub. The linter finds them in the contract. */
export const toBeSaid = 'To be written.';

export interface Stub {
  readonly file: string;
  /** The whole file, including the stub. */
  readonly text: string;
  /** What must be written there. */
  readonly what: string;
}

/** A place for a part of a rule: beside that of a similar rule. */
export interface Place {
  readonly folder: string;
  /** Matches the first line of the similar rule's part. */
  readonly at: (like: string) => RegExp;
  readonly stub: (id: string, line: string, like: string) => string;
  readonly what: string;
  /** Whether to insert the stub into that line. */
  readonly inLine?: boolean;
  /** Further changes of the file. */
  readonly also?: (text: string) => string;
}

/** Matches a member of a record, with the comment above it. */
const property = (like: string) => new RegExp(`(?:^ *(?://|/\\*|\\*).*\n)*^  '${like}':.*$`, 'm');

/** Matches the list of rules of a step, up to one of them. */
const listOfRules = String.raw`(?::|\w =) \[(?:\s*(?:'[\w-]+'|\.\.\.\w+),)*\s*`;

const places: readonly Place[] = [
  {
    folder: 'openapi/rules.yaml',
    at: (like) => new RegExp(`^  - \\{id: ${like},.*$`, 'm'),
    stub: (id, line, like) => line.replace(like, id).replace(/says: ".*"/, `says: "${toBeSaid}"`),
    what: 'the entry: its level, operations, statements and what it says',
  },
  {
    folder: 'conformance/suite',
    at: property,
    stub: (id) => `  /** Judges to be written. */\n  '${id}': {\n    exchange: () => undefined,\n  },\n`,
    what: 'the judge: satisfied, violated or inconclusive; nothing where it saw nothing that could have broken the rule',
  },
  {
    folder: 'conformance/suite',
    at: (like) => new RegExp(`(?<=${listOfRules})'${like}'`),
    stub: (id) => `'${id}', `,
    what: 'the step that is sent for it: that of the rule beside it, until you name another',
    inLine: true,
  },
  {
    folder: 'test/conformance/suite',
    at: property,
    stub: (id) => `  '${id}': {},\n`,
    what: 'recordings that keep the rule, that break it, and that do not touch it',
  },
  {
    folder: 'deviations/faults',
    at: (like) => new RegExp(`^  \\.\\.\\.breaking\\('${like}', \\{$`, 'm'),
    stub: (id) => `  ...breaking('${id}', {\n    '${id}-is-broken': () => ({}),\n  }),`,
    what: 'a fault that violates the rule, and nothing but that',
  },
];

/**
 * The files that a new rule changes. Its entry in rules.yaml may exist already. Throws if the id is taken, or the
 * similar rule is not found.
 */
export async function stubs(root: string, id: string, like: string): Promise<Stub[]> {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id))
    throw new Error(`${id} is no id: words in lower case, with dashes between.`);
  const isEntered = new RegExp(`\\{id: ${id},`).test(await readFile(join(root, 'openapi/rules.yaml'), 'utf8'));
  const judges = await Promise.all(
    (await filesIn(root, 'conformance/suite')).map((file) => readFile(join(root, file), 'utf8')),
  );
  if (isEntered && judges.some((text) => property(id).test(text)))
    throw new Error(`${id} is there already; an id never changes, and none is given twice.`);
  const written: Stub[] = [];
  // One after the other, so that the error names the first place that lacks the similar rule.
  for (const place of isEntered ? places.slice(1) : places) written.push(await stubIn(root, place, id, like));
  return written;
}

export async function stubIn(
  root: string,
  { folder, at, stub, what, inLine, also }: Place,
  id: string,
  like: string,
): Promise<Stub> {
  for (const file of await filesIn(root, folder)) {
    const text = await readFile(join(root, file), 'utf8');
    const found = at(like).exec(text);
    if (!found) continue;
    const before = text.slice(0, found.index);
    const own = stub(id, found[0], like);
    const whole = `${before}${inLine ? own : `${own.trimEnd()}\n`}${text.slice(found.index)}`;
    return { file, what, text: also?.(whole) ?? whole };
  }
  throw new Error(`${folder} has nothing that stands for ${like} alone; name another one.`);
}

const filesIn = async (root: string, folder: string): Promise<string[]> =>
  /\.\w+$/.test(folder)
    ? [folder]
    : (await readdir(join(root, folder), { recursive: true }))
        .filter((name) => name.endsWith('.ts'))
        .sort()
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
