/** Finds the cases of the proof that a change concerns. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { choiceSets, faults, variations } from '../deviations/index.js';
import { type RuleId, rules } from '../generated/rules.js';
import type { Graph } from './bundle.js';
import { type Case, cases } from './cases.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** The rules and deviations that a change concerns, or the file that concerns every case. */
export interface Concern {
  readonly rules: ReadonlySet<string>;
  readonly deviations: ReadonlySet<string>;
  readonly everything?: string;
}

/** A changed file, with the numbers of its new lines. */
export interface ChangedFile {
  readonly path: string;
  readonly lines: readonly number[];
}

const judges = 'conformance/suite/judges.ts';
/** The rule that checks every answer by its schema. */
const bySchema: readonly RuleId[] = ['response-matches-schema'];

/** The files that differ from a commit, including untracked ones. */
export async function changedSince(commit: string): Promise<ChangedFile[]> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: root, maxBuffer: 1e9 })).stdout;
  const files = new Map<string, number[]>();
  let path = '';
  for (const line of (await git('diff', '-U0', '--relative', '--no-renames', commit)).split('\n')) {
    const [, name] = /^(?:---|\+\+\+) [ab]\/(.*)/.exec(line) ?? [];
    if (name !== undefined) {
      path = name;
      files.set(path, files.get(path) ?? []);
    }
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    // If lines were only deleted, the line before them counts.
    for (let at = 0; from !== undefined && at < Math.max(1, Number(count)); at += 1)
      files.get(path)?.push(Number(from) + at);
  }
  for (const name of (await git('ls-files', '--others', '--exclude-standard')).split('\n').filter(Boolean))
    files.set(name, []);
  return [...files].map(([path, lines]) => ({ path, lines }));
}

/** The commit at which this branch left the main branch, as far as this clone knows. */
export async function branchPoint(): Promise<string> {
  for (const main of ['origin/main', 'main']) {
    const found = await run('git', ['merge-base', 'HEAD', main], { cwd: root }).catch(() => undefined);
    if (found) return found.stdout.trim();
  }
  return 'HEAD';
}

/** What changes concern. `graph`: the imports of the proof's modules, from `entry` on. */
export async function concernOf(changed: readonly ChangedFile[], graph: Graph, entry: string): Promise<Concern> {
  const known = new Set<string>(rules.map(({ id }) => id));
  const concern = { rules: new Set<string>(), deviations: new Set<string>() };
  const outside = reached(graph, entry, (path) => path === judges || isDeviations(path));
  const byContract = changed.some(({ path }) => path.startsWith('openapi/'));
  for (const file of changed) {
    const { path } = file;
    if (path.startsWith('openapi/')) for (const id of await rulesOn(file)) concern.rules.add(id);
    else if (path.startsWith('generated/') && byContract) continue;
    else if (!graph.has(path)) continue;
    else if (outside.has(path)) return { ...concern, everything: path };
    const users = (of: (path: string) => boolean) =>
      [...graph.keys()].filter((module) => of(module) && reached(graph, module, () => false).has(path));
    for (const module of users(isDeviations)) for (const id of await idsIn(module)) concern.deviations.add(id);
    for (const module of users((one) => graph.get(judges)?.includes(one) ?? false)) {
      const own = module === path ? await rulesAt(file) : undefined;
      for (const id of own ?? (await keysIn(module))) if (known.has(id)) concern.rules.add(id);
    }
  }
  return concern;
}

/** The cases to run: those of the rules and deviations, and the sets of choices. */
export function casesFor({ rules, deviations, everything }: Concern): readonly Case[] {
  if (everything !== undefined) return cases;
  if (rules.size === 0 && deviations.size === 0) return [];
  const ids = new Set([
    ...Object.keys(choiceSets),
    ...deviations,
    ...faults.flatMap(({ id, breaks }) => (breaks.some((rule) => rules.has(rule)) ? [id] : [])),
    ...variations.flatMap(({ id, warns = [], untested = [] }) =>
      [...warns, ...(untested === 'any' ? [] : untested)].some((rule) => rules.has(rule)) ? [id] : [],
    ),
  ]);
  return cases.filter((of) => Object.values(of).some((id) => ids.has(id as string)));
}

const isDeviations = (path: string): boolean => /^deviations\/(?:faults|variations)\/(?!index\.)/.test(path);

function reached(graph: Graph, from: string, isLeftOut: (path: string) => boolean): Set<string> {
  const found = new Set<string>();
  const next = [from];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (found.has(path) || isLeftOut(path)) continue;
    found.add(path);
    next.push(...(graph.get(path) ?? []));
  }
  return found;
}

const exportsOf = async (module: string): Promise<unknown[]> =>
  Object.values((await import(pathToFileURL(`${root}${module}`).href)) as Record<string, unknown>);

const idsIn = async (module: string): Promise<string[]> =>
  (await exportsOf(module)).flatMap((all) => (Array.isArray(all) ? all.map((one) => `${one?.id}`) : []));

const keysIn = async (module: string): Promise<string[]> =>
  (await exportsOf(module)).flatMap((all) => (typeof all === 'object' && all !== null ? Object.keys(all) : []));

/** The rules whose judges contain the lines; undefined if a line is outside of all judges. */
async function rulesAt({ path, lines }: ChangedFile): Promise<string[] | undefined> {
  const text = (await readFile(`${root}${path}`, 'utf8')).split('\n');
  const found = lines.map((line) => {
    for (let at = Math.min(line, text.length) - 1; at >= 0; at -= 1) {
      const [, id, outside] = /^(?: {2}'([a-z\d-]+)'[:(]|(\S))/.exec(text[at] ?? '') ?? [];
      if (outside !== undefined) return undefined;
      if (id !== undefined) return id;
    }
    return undefined;
  });
  return lines.length > 0 && found.every((id) => id !== undefined) ? found : undefined;
}

/** The rules that rest on a source of the contract, or in rules.yaml those of the lines. */
async function rulesOn({ path, lines }: ChangedFile): Promise<string[]> {
  if (path === 'openapi/rules.yaml' || path === 'openapi/statements.yaml') {
    const text = (await readFile(`${root}${path}`, 'utf8')).split('\n');
    const ids = lines.flatMap((line) => /\bid: ([a-z\d-]+)/.exec(text[line - 1] ?? '')?.[1] ?? []);
    return rules.flatMap(({ id, statements }) => ([id, ...statements].some((one) => ids.includes(one)) ? [id] : []));
  }
  const source = parse(await readFile(`${root}openapi/statements.yaml`, 'utf8')) as {
    statements: { id: string; contract?: string[] }[];
  };
  const file = path.replace(/^openapi\//, '');
  const said = new Set(
    source.statements.flatMap(({ id, contract = [] }) =>
      contract.some((place) => place.split('#')[0] === file) ? [id] : [],
    ),
  );
  const resting = rules.flatMap(({ id, statements }) => (statements.some((one) => said.has(one)) ? [id] : []));
  return /^(?:schemas|paths|responses)\//.test(file) ? [...resting, ...bySchema] : resting;
}
