/** Finds what a change of the contract concerns in this repository. */

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseYaml } from '@redocly/openapi-core';
import type { Document } from '../generate/document.js';
import { type Flows, unnamedInExamples, unnamedInFlows } from '../lint/named.js';
import type { Change } from './changes.js';
import type { Contract } from './contract.js';
import { escaped } from './normalise.js';
import { operationsIn } from './operations.js';
import type { Demand, Register, Statement } from './register.js';

const run = promisify(execFile);

/** What a change concerns in this repository. */
export interface Consequence {
  readonly of: string;
  readonly names: readonly string[];
}

/**
 * Finds the rules, gaps, statements, examples, flows, faults and files that mention something that was removed, and the
 * rules that apply to a new operation. `project` is the root of the repository.
 */
export async function consequencesOf(
  changes: readonly Change[],
  before: Document,
  { document: after, register = {} }: Contract,
  project: string,
): Promise<Consequence[]> {
  const gone = changes.flatMap((change) =>
    change.gone === undefined ? [] : [{ name: change.gone, at: change.pointer }],
  );
  const closed = [...marksOf(before)].filter((gap) => !marksOf(after).has(gap));
  const come = [...new Set(changes.flatMap((change) => change.come ?? []))];
  const otherwise = changes.flatMap(({ succeeds }) => succeeds ?? []);
  const reworded = changes.filter(({ words }) => words === 'other' || words === 'type');
  const retyped = changes.filter(({ words }) => words === 'type').flatMap(({ pointer }) => fieldAt(pointer) ?? []);
  const deprecated = changes.filter(({ words }) => words === 'deprecated').map(({ pointer }) => nameAt(pointer));
  const ids = (document: Document) => [...operationsIn(document).values()].map(({ id }) => id);
  const further = ids(after).filter((id) => !ids(before).includes(id));
  if ([gone, closed, further, come, otherwise, reworded, deprecated].every(({ length }) => length === 0)) return [];
  // A name that is still used elsewhere does not show what a text means.
  const left = JSON.stringify([after.paths, { ...after.components, examples: {} }]);
  const words = [...new Set(gone.map(({ name }) => name))].filter((name) => !left.includes(JSON.stringify(name)));
  const speaks = (text: unknown) => words.some((word) => hasWord(String(text), word));
  const names = new Set(gone.map(({ name }) => name));

  const placed = placesIn(project);
  const statements = (register.statements ?? []).filter((one) => speaks(one.says) || isSaidBy(placed(one), gone));
  const rules = demandsLeft(register, statements, speaks, names);
  const saidOtherwise = (register.statements ?? []).filter(
    (one) =>
      reworded.some(({ pointer }) => isSaidAt(placed(one), pointer.replace(/\/[^/]*$/, ''))) ||
      speaksOf(one.says, reworded, left),
  );
  const unused = async (folder: string) => (await unspoken(project, folder, come)).map((name) => `\`${name}\``);
  const fields = ({ field }: { field: string }) => names.has(field.split('.').at(-1) ?? '');
  const flows = join(project, 'openapi/arazzo/flows.arazzo.yaml');
  const unnamed = existsSync(flows) ? unnamedInFlows(after, parseYaml(readFileSync(flows, 'utf8')) as Flows) : [];
  const users = (all: { user: string; field: string }[]) =>
    all.filter(fields).map(({ user, field }) => `${user} (${field})`);
  const ofAll = [...(register.rules ?? []), ...(register.callers ?? [])].filter(({ on }) => on === 'all');
  return [
    {
      of: `rules on all operations, and so on ${further.join(', ')}`,
      names: further.length > 0 ? ofAll.map(({ id }) => id) : [],
    },
    {
      of: 'rules on what succeeds otherwise now',
      names: (register.rules ?? [])
        .filter(({ on = [] }) => on !== 'all' && on.some((operation) => otherwise.includes(operation)))
        .map(({ id }) => id),
    },
    { of: 'new, and named by no file of reference/', names: await unused('reference') },
    { of: 'new, and named by no file of conformance/', names: await unused('conformance') },
    { of: 'statements of what has another description or type', names: saidOtherwise.map(({ id }) => id) },
    {
      of: 'rules that rest on these statements',
      names: restingOn(register, saidOtherwise).map(({ id }) => id),
    },
    {
      of: 'files that name what is deprecated now',
      names: await filesThatName(project, deprecated),
    },
    { of: 'files that name what has another type now', names: await filesThatName(project, [...new Set(retyped)]) },
    { of: 'statements that speak of it', names: statements.map(({ id }) => id) },
    { of: 'rules that rest on it', names: rules.map(({ id }) => id) },
    {
      of: 'gaps that are marked nowhere now, or ask about it',
      names: (register.gaps ?? []).filter(({ id, asks }) => closed.includes(id) || speaks(asks)).map(({ id }) => id),
    },
    { of: 'examples', names: users(unnamedInExamples(after)) },
    { of: 'flows', names: users(unnamed) },
    {
      of: 'faults',
      names: faultsThatSpeak(join(project, 'deviations/faults'), [...words, ...rules.map(({ id }) => id)]),
    },
    { of: 'files', names: await filesThatSpeak(project, [...words, ...closed]) },
  ].filter((consequence) => consequence.names.length > 0);
}

/** Rules that are on a removed operation, rest on a statement that mentions something removed, or mention it. */
function demandsLeft(
  { rules = [], callers = [] }: Register,
  statements: readonly Statement[],
  speaks: (text: unknown) => boolean,
  names: ReadonlySet<string>,
): readonly Demand[] {
  const ids = new Set(statements.map(({ id }) => id));
  return [...rules, ...callers].filter(
    ({ on = [], statements = [], says, where }) =>
      (on !== 'all' && on.some((operation) => names.has(operation))) ||
      statements.some((id) => ids.has(id)) ||
      speaks(says) ||
      speaks(where),
  );
}

/** The places of the document that express a statement. In the sources: `schemas/Execution.yaml#/properties/status`. */
function placesIn(project: string): (statement: Statement) => readonly string[] {
  const root = join(project, 'openapi/openapi.yaml');
  const { paths = {} } = existsSync(root) ? (parseYaml(readFileSync(root, 'utf8')) as Partial<Root>) : {};
  const files = new Map(Object.entries(paths).map(([path, { $ref }]) => [$ref, `#/paths/${escaped(path)}`]));
  return ({ contract = [] }) =>
    contract.map((place) => {
      const [file = '', pointer = ''] = place.split('#');
      return (
        (files.get(file) ??
          file.replace(/^(\w+)\/(\w+)\.yaml$/, '#/components/$1/$2').replace(/^openapi\.yaml$/, '#')) + pointer
      );
    });
}

interface Root {
  readonly paths: Readonly<Record<string, { readonly $ref?: string }>>;
}

/** Whether one of these places is where something was. */
const isSaidBy = (places: readonly string[], gone: readonly { at: string }[]) =>
  places.some((at) => gone.some((one) => one.at === at || at.startsWith(`${one.at}/`)));

/** Of a path, what each of its operations says. */
const isSaidAt = (places: readonly string[], at: string) =>
  places.some((place) => place === at || (/^#\/paths\/[^/]*$/.test(place) && at.replace(/\/[^/]*$/, '') === place));

/** The name of the field or parameter that a place belongs to. */
const nameAt = (pointer: string): string => pointer.split('/').at(-2) ?? '';

/** The innermost field that a place is in. */
const fieldAt = (pointer: string): string | undefined => /.*\/properties\/([^/]+)/.exec(pointer)?.[1];

/** Whether only one field has this name. Otherwise a text that mentions it may mean another one. */
const isOnce = (name: string, document: string): boolean => document.split(`${JSON.stringify(name)}:`).length === 2;

const speaksOf = (text: unknown, changes: readonly Change[], document: string): boolean =>
  changes.some(({ pointer }) => {
    const name = nameAt(pointer);
    return isOnce(name, document) && hasWord(String(text), name);
  });

const restingOn = ({ rules = [], callers = [] }: Register, statements: readonly Statement[]): readonly Demand[] => {
  const ids = new Set(statements.map(({ id }) => id));
  return [...rules, ...callers].filter(({ statements = [] }) => statements.some((id) => ids.has(id)));
};

/** The names that no file in a folder contains. */
async function unspoken(project: string, folder: string, names: readonly string[]): Promise<string[]> {
  const files = await Promise.all(names.map((name) => filesThatName(project, [name], folder)));
  return existsSync(join(project, folder)) ? names.filter((_, index) => files[index]?.length === 0) : [];
}

/** The files that contain a name as a field, not as a word of a text: `.name`, `'name'`, `name:`. */
const filesThatName = (project: string, names: readonly string[], ...folders: string[]): Promise<string[]> =>
  grep(
    project,
    names.map((name) => `[.'"\`]${name}\\b|\\b${name}[?]?:`),
    folders.length > 0 ? folders : elsewhere,
    '-E',
  );

/** The gaps that occur as `x-gap`. */
function marksOf(of: unknown): Set<string> {
  const marks = new Set<string>();
  JSON.stringify(of, (key, value) => {
    if (key === 'x-gap') for (const id of [value].flat()) marks.add(String(id));
    return value;
  });
  return marks;
}

/** The ids of faults whose source contains one of the words. */
function faultsThatSpeak(folder: string, words: readonly string[]): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.flatMap((file) => {
    const [, ...faults] = readFileSync(join(folder, file), 'utf8').split(/^\s*id: '/m);
    return faults
      .filter((text) => words.some((word) => hasWord(text, word)))
      .map((text) => text.split("'", 1)[0] ?? '');
  });
}

/** The files that contain one of the words, except for the contract and generated files. */
const filesThatSpeak = (project: string, words: readonly string[]): Promise<string[]> =>
  grep(project, words, elsewhere, '-wF');

const elsewhere = [
  '.',
  ...[
    'openapi',
    'generated',
    'deviations/faults',
    'docs/decisions',
    'docs/proof.md',
    'docs/traceability.md',
    'CHANGELOG.md',
  ].map((path) => `:!${path}`),
];

async function grep(project: string, patterns: readonly string[], paths: readonly string[], how: string) {
  if (patterns.length === 0) return [];
  const given = patterns.flatMap((pattern) => ['-e', pattern]);
  // git grep exits with 1 if nothing is found, and with another code outside of a repository.
  const { stdout } = await run('git', ['grep', '-l', how, ...given, '--', ...paths], { cwd: project }).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').filter(Boolean);
}

const hasWord = (text: string, word: string): boolean =>
  text.split(/[^\w-]+/).includes(word) || text.split(/\W+/).includes(word);
