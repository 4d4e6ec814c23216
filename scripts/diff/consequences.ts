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
  { document: before, files: left }: Pick<Contract, 'document' | 'files'>,
  { document: after, register = {}, files }: Contract,
  project: string,
): Promise<Consequence[]> {
  const gone = changes.flatMap((change) =>
    change.gone === undefined ? [] : [{ name: change.gone, at: change.pointer }],
  );
  const closed = [...marksOf(before)].filter((gap) => !marksOf(after).has(gap));
  const come = [...new Set(changes.flatMap((change) => change.come ?? []))];
  const otherwise = changes.flatMap(({ succeeds }) => succeeds ?? []);
  const failing = changes.flatMap(({ fails }) => fails ?? []);
  const stale = [...new Set(changes.flatMap((change) => change.stale ?? []))];
  const changed = changes.filter(({ gone }) => gone === undefined);
  const reworded = changes.filter(({ words }) => words === 'other' || words === 'type');
  const retyped = changes.filter(({ words }) => words === 'type').flatMap(({ pointer }) => fieldAt(pointer) ?? []);
  const deprecated = changes.filter(({ words }) => words === 'deprecated').map(({ pointer }) => nameAt(pointer));
  const ids = (document: Document) => [...operationsIn(document).values()].map(({ id }) => id);
  const further = ids(after).filter((id) => !ids(before).includes(id));
  if ([gone, closed, further, come, otherwise, changed].every(({ length }) => length === 0)) return [];
  // A name that is still used elsewhere does not show what a text means.
  const kept = JSON.stringify([after.paths, { ...after.components, examples: {} }], withoutTraits);
  const words = [...new Set(gone.map(({ name }) => name))].filter((name) => !kept.includes(JSON.stringify(name)));
  const speaks = (text: unknown) => words.some((word) => hasWord(String(text), word));
  const names = new Set(gone.map(({ name }) => name));

  const placed = placesIn(new Map([...left, ...files]));
  const statements = (register.statements ?? []).filter((one) => speaks(one.says) || isSaidBy(placed(one), gone));
  const { subjectless, resting, shared } = demandsLeft(register, statements, speaks, names);
  const isOfChanged = (places: readonly string[]) =>
    changed.some(
      ({ pointer, come, words }) =>
        places.includes(pointer) ||
        ((come === undefined || pointer.endsWith('/enum')) &&
          !isPath(above(pointer)) &&
          places.includes(above(pointer))) ||
        (words !== undefined && isSaidAt(places, above(pointer))),
    );
  const saidOtherwise = (register.statements ?? []).filter(
    (one) => isOfChanged(placed(one)) || speaksOf(one.says, reworded, kept),
  );
  const unused = async (folder: string) => (await unspoken(project, folder, come)).map((name) => `\`${name}\``);
  const fields = ({ field }: { field: string }) => names.has(field.split('.').at(-1) ?? '');
  const flows = join(project, 'openapi/arazzo/flows.arazzo.yaml');
  const unnamed = existsSync(flows) ? unnamedInFlows(after, parseYaml(readFileSync(flows, 'utf8')) as Flows) : [];
  const users = (all: { user: string; field: string }[]) =>
    all.filter(fields).map(({ user, field }) => `${user} (${field})`);
  const ofAll = [...(register.rules ?? []), ...(register.callers ?? [])].filter(({ on }) => on === 'all');
  const rulesOn = (operations: readonly string[]) =>
    (register.rules ?? []).filter(
      ({ on = [] }) => on !== 'all' && on.some((operation) => operations.includes(operation)),
    );
  return [
    {
      of: `rules on all operations, and so on ${further.join(', ')}`,
      names: further.length > 0 ? ofAll.map(({ id }) => id) : [],
    },
    {
      of: 'rules on what succeeds otherwise now',
      names: rulesOn(otherwise).map(({ id }) => id),
    },
    {
      of: 'rules about error answers that changed',
      names: rulesOn(failing)
        .filter(({ says }) => /\b4\d\d\b/.test(String(says)))
        .map(({ id }) => id),
    },
    { of: 'new, and named by no file of reference/', names: await unused('reference') },
    { of: 'new, and named by no file of conformance/', names: await unused('conformance') },
    { of: 'statements of what has changed', names: saidOtherwise.map(({ id }) => id) },
    {
      of: 'rules that rest on these statements',
      names: restingOn(register, saidOtherwise).map(({ id }) => id),
    },
    {
      of: 'files that name what is deprecated now',
      // The linter does not tell where the contract still speaks of it.
      names: [
        ...(await grep(project, deprecated, ['openapi'], '-wF')),
        ...(await filesThatName(project, deprecated, ...exceptContract)),
      ],
    },
    {
      of: 'files that name what has another type now',
      names: await filesThatName(project, [...new Set(retyped)], ...exceptContract),
    },
    { of: 'files with a line that says what was', names: await grep(project, stale, everywhere, '-E') },
    { of: 'statements that speak of it', names: statements.map(({ id }) => id) },
    { of: 'rules whose only operation was removed', names: subjectless.map(({ id }) => id) },
    { of: 'rules that rest on it', names: resting.map(({ id }) => id) },
    { of: 'rules that are on others as well', names: shared.map(({ id }) => id) },
    {
      of: 'gaps that are marked nowhere now, or ask about it',
      names: (register.gaps ?? []).filter(({ id, asks }) => closed.includes(id) || speaks(asks)).map(({ id }) => id),
    },
    { of: 'examples', names: users(unnamedInExamples(after)) },
    { of: 'flows', names: users(unnamed) },
    {
      of: 'faults',
      names: faultsThatSpeak(join(project, 'deviations/faults'), [
        ...words,
        ...[...subjectless, ...resting].map(({ id }) => id),
      ]),
    },
    { of: 'files', names: await filesThatSpeak(project, [...words, ...closed]) },
  ].filter((consequence) => consequence.names.length > 0);
}

/** Traits name fields, which shows nothing of whether there are any. */
const withoutTraits = (key: string, value: unknown): unknown => (key === 'x-operation' ? undefined : value);

/** Rules that a removal concerns: on nothing that is left; that mention it, or rest on what does; on others as well. */
function demandsLeft(
  { rules = [], callers = [] }: Register,
  statements: readonly Statement[],
  speaks: (text: unknown) => boolean,
  names: ReadonlySet<string>,
): Record<'subjectless' | 'resting' | 'shared', readonly Demand[]> {
  const ids = new Set(statements.map(({ id }) => id));
  const found = { subjectless: [] as Demand[], resting: [] as Demand[], shared: [] as Demand[] };
  for (const demand of [...rules, ...callers]) {
    const { on = [], statements = [], says, where } = demand;
    const isGone = (operation: string) => names.has(operation);
    if (on !== 'all' && on.length > 0 && on.every(isGone)) found.subjectless.push(demand);
    else if (statements.some((id) => ids.has(id)) || speaks(says) || speaks(where)) found.resting.push(demand);
    else if (on !== 'all' && on.some(isGone)) found.shared.push(demand);
  }
  return found;
}

/** The places of the document that express a statement. In the sources: `schemas/Execution.yaml#/properties/status`. */
function placesIn(files: ReadonlyMap<string, string>): (statement: Statement) => readonly string[] {
  return ({ contract = [] }) =>
    contract.map((place) => {
      const [file = '', pointer = ''] = place.split('#');
      const path = files.get(file);
      const root =
        path === undefined
          ? file.replace(/^(\w+)\/(\w+)\.yaml$/, '#/components/$1/$2').replace(/^openapi\.yaml$/, '#')
          : `#/paths/${escaped(path)}`;
      return root + pointer;
    });
}

/** Whether one of these places is where something was. */
const isSaidBy = (places: readonly string[], gone: readonly { at: string }[]) =>
  gone.some(({ at }) => isSaidAt(places, at) || places.some((place) => place.startsWith(`${at}/`)));

/** Of a path, what each of its operations says. */
const isSaidAt = (places: readonly string[], at: string) =>
  places.some((place) => place === at || (isPath(place) && above(at) === place));

const isPath = (pointer: string): boolean => /^#\/paths\/[^/]*$/.test(pointer);

const above = (pointer: string): string => pointer.replace(/\/[^/]*$/, '');

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

/** The files that contain a name as a field, not as a word of a text or a method: `.name`, `'name'`, `name:`. */
const filesThatName = (project: string, names: readonly string[], ...folders: string[]): Promise<string[]> =>
  grep(
    project,
    names.map((name) => `['"\`]${name}\\b|[.]${name}([^(0-9A-Z_a-z]|$)|\\b${name}[?]?:`),
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
    const [, ...parts] = readFileSync(join(folder, file), 'utf8').split(
      /^(?: {4}(?='[\w-]+': )|\s*(?=\.\.\.breaking\('|id: '.*\n\s*breaks:))/m,
    );
    let rule = '';
    return parts.flatMap((part) => {
      const id = /'([\w-]+)'/.exec(part)?.[1] ?? '';
      const isGroup = part.startsWith('...');
      if (isGroup || part.startsWith('id')) rule = isGroup ? id : '';
      const text = part.split(/^ {2}\}\),$/m, 1)[0] ?? '';
      return !isGroup && words.some((word) => hasWord(rule, word) || hasWord(text, word)) ? [id] : [];
    });
  });
}

/** The files that contain one of the words, except for the contract and generated files. */
const filesThatSpeak = (project: string, words: readonly string[]): Promise<string[]> =>
  grep(project, words, elsewhere, '-wF');

const exceptContract = [
  '.',
  ...['openapi', 'generated', 'docs/decisions.md', 'proof/frozen.json', 'CHANGELOG.md'].map((path) => `:!${path}`),
];
const everywhere = exceptContract.filter((path) => path !== ':!openapi');
/** Faults are named by their ids. */
const elsewhere = [...exceptContract, ':!deviations/faults'];

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
