import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseYaml } from '@redocly/openapi-core';
import type { Document } from '../generate/document.js';
import { type Flows, unnamedInExamples, unnamedInFlows } from '../lint/named.js';
import type { Change } from './changes.js';
import type { Contract } from './contract.js';
import { operationsIn } from './operations.js';
import type { Demand, Register, Statement } from './register.js';

const run = promisify(execFile);

/** What in this repository the changes concern. */
export interface Consequence {
  readonly of: string;
  readonly names: readonly string[];
}

/**
 * The rules, gaps, statements, examples, flows, faults and files that speak of what is gone, and the rules that a new
 * operation has by being one. `project` is the folder of the repository.
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
  const marks = [...marksOf(before)].filter((gap) => !marksOf(after).has(gap));
  const ids = (document: Document) => [...operationsIn(document).values()].map(({ id }) => id);
  const further = ids(after).filter((id) => !ids(before).includes(id));
  if (gone.length === 0 && marks.length === 0 && further.length === 0) return [];
  // A name that something else still has does not say what a text means.
  const left = JSON.stringify([after.paths, { ...after.components, examples: {} }]);
  const words = [...new Set(gone.map(({ name }) => name))].filter((name) => !left.includes(JSON.stringify(name)));
  const speaks = (text: unknown) => words.some((word) => hasWord(String(text), word));
  const names = new Set(gone.map(({ name }) => name));

  const statements = (register.statements ?? []).filter((one) => speaks(one.says) || isSaidBy(one, gone));
  const rules = demandsLeft(register, statements, speaks, names);
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
    { of: 'statements that speak of it', names: statements.map(({ id }) => id) },
    { of: 'rules that rest on it', names: rules.map(({ id }) => id) },
    {
      of: 'gaps that are marked nowhere now, or ask about it',
      names: (register.gaps ?? []).filter(({ id, asks }) => marks.includes(id) || speaks(asks)).map(({ id }) => id),
    },
    { of: 'examples', names: users(unnamedInExamples(after)) },
    { of: 'flows', names: users(unnamed) },
    {
      of: 'faults',
      names: faultsThatSpeak(join(project, 'deviations/faults'), [...words, ...rules.map(({ id }) => id)]),
    },
    { of: 'files', names: await filesThatSpeak(project, words) },
  ].filter((consequence) => consequence.names.length > 0);
}

/** Rules, for services and for callers, on an operation that is gone, of a statement that speaks of it, or that speak of it. */
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

/** Whether a place of the sources that says it, `schemas/Execution.yaml#/properties/status`, is where something was. */
const isSaidBy = ({ contract = [] }: Statement, gone: readonly { at: string }[]) =>
  contract.some((place) => {
    const at = place.replace(/^(\w+)\/(\w+)\.yaml#?/, '#/components/$1/$2');
    return gone.some((one) => one.at === at || at.startsWith(`${one.at}/`));
  });

/** The gaps that a contract is marked with. */
function marksOf(of: unknown): Set<string> {
  const marks = new Set<string>();
  JSON.stringify(of, (key, value) => {
    if (key === 'x-gap') for (const id of [value].flat()) marks.add(String(id));
    return value;
  });
  return marks;
}

/** The ids of faults, of the source files in a folder, in whose text one of the words is. */
function faultsThatSpeak(folder: string, words: readonly string[]): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return files.flatMap((file) => {
    const [, ...faults] = readFileSync(join(folder, file), 'utf8').split(/^\s*id: '/m);
    return faults
      .filter((text) => words.some((word) => hasWord(text, word)))
      .map((text) => text.split("'", 1)[0] ?? '');
  });
}

/** The files of the repository, beside the contract and what is generated, in whose text one of the words is. */
async function filesThatSpeak(project: string, words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const patterns = words.flatMap((word) => ['-e', word]);
  const apart = ['openapi', 'generated', 'deviations/faults', 'docs/decisions', 'CHANGELOG.md'].map(
    (path) => `:!${path}`,
  );
  // It ends with 1 where there is none, and otherwise where there is no repository.
  const { stdout } = await run('git', ['grep', '-lwF', ...patterns, '--', '.', ...apart], { cwd: project }).catch(
    () => ({ stdout: '' }),
  );
  return stdout.split('\n').filter(Boolean);
}

const hasWord = (text: string, word: string): boolean =>
  text.split(/[^\w-]+/).includes(word) || text.split(/\W+/).includes(word);
