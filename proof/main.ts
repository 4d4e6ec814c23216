import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { matchesGlob } from '../cli/glob.js';
import { suggestion } from '../common/nearest.js';
import { faults } from '../deviations/index.js';
import { isStored, storeSection } from '../scripts/figures.js';
import { script } from '../scripts/script.js';
import { bundle } from './bundle.js';
import { type Case, cases, idOf } from './cases.js';
import { branchPoint, casesFor, changedSince, concernOf } from './changed.js';
import { disturbedCases, disturbedFigures, rowsOf, sampleOf } from './disturbed.js';
import { neededVariants } from './needed.js';
import { runCases } from './pool.js';
import { prove } from './prove.js';
import { replicaCases, replicaFaults, replicaFigures, rowsOf as replicaRows } from './replicas.js';
import { falseAlarms } from './seeds.js';
import { figures, foundLines, priceText, standing, summary } from './terminal.js';

/**
 * Proves that every rule can fail and can hold; exits with 1 if not. Arguments are ids or globs (`sync-*`) of faults,
 * choices and variations: only these are run. `--changed` runs those that the changes of this branch concern. `--write`
 * writes the figures of the whole proof to docs/figures.md, `--check` fails if these are out of date. `--needed` also finds
 * the variants that are needed, in an hour. `--disturbed` tries some faults, or the named ones, behind disturbances, and
 * `--replicas` at one replica of several, with a soak. `--tempo 12`: runs take two minutes, five run at once, and so many may
 * be started; it fails only if a MUST is called violated for a service that conforms.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      changed: { type: 'boolean', default: false },
      needed: { type: 'boolean', default: false },
      disturbed: { type: 'boolean', default: false },
      replicas: { type: 'boolean', default: false },
      seeds: { type: 'string' },
      tempo: { type: 'string' },
    },
  });
  const { write, check, changed, needed, disturbed, replicas, seeds, tempo } = values;
  const needsAll = write || check;
  if (
    [
      (needsAll || needed) && !disturbed && !replicas,
      changed,
      replicas,
      disturbed || seeds !== undefined,
      tempo !== undefined,
    ].filter(Boolean).length > 1
  )
    throw new Error(
      'use only one of --write (with --check), --needed, --changed, --disturbed, --replicas, --seeds and --tempo.',
    );
  if (positionals.length > 0 && ((needsAll && !replicas) || changed || needed || (seeds !== undefined && !disturbed)))
    throw new Error('ids go alone or with --tempo, --disturbed or --replicas.');
  if (disturbed) return whileDisturbed(positionals, countOf(seeds ?? '1'), values);
  if (replicas) return atReplicas(positionals, values);
  if (seeds !== undefined) return trySeeds(countOf(seeds));
  const nothing = positionals.find((glob) => !cases.some((of) => matchesGlob(idOf(of), glob)));
  if (nothing !== undefined) {
    const wayOut = suggestion(nothing, cases.map(idOf), 'generated/docs/faults.md lists the faults.');
    throw new Error(`no fault, choice or variation is called ${nothing}; ${wayOut}`);
  }
  const usual = changed ? await concerned() : named(positionals);
  const at = tempo === undefined ? undefined : { minutes: 2, places: 5, executions: countOf(tempo, '--tempo') };
  const chosen = at ? usual.map((of) => ({ ...of, at })) : usual;
  if (chosen.length === 0) return 0;
  const progress = progressOf(chosen.length, 'services checked');
  const proof = await prove(progress, chosen);
  console.log(foundLines(proof));
  const byVariants = needed
    ? await neededVariants((all) => runCases(all, progressOf(all.length, 'services checked'), true))
    : undefined;
  if (chosen === cases) console.log(`\n${priceText(proof, await linesOfChecks(), byVariants)}\n`);
  if (!at) console.log(`${standing(proof)}\n${summary(proof)}`);
  for (const problem of proof.problems) console.error(problem);
  if (proof.problems.length > 0) return 1;
  return kept(figures(proof), values);
}

/** How many lines the check of each rule has, by the sources of the suite. */
async function linesOfChecks(): Promise<ReadonlyMap<string, number>> {
  const suite = new URL('../conformance/suite/', import.meta.url);
  const files = (await readdir(suite, { recursive: true })).filter((file) =>
    /rules(?:\.ts|[\\/][^\\/]+\.ts)$/.test(file),
  );
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, suite), 'utf8')));
  return new Map(
    sources.flatMap((source) =>
      [...source.matchAll(/^ {2}'([a-z0-9-]+)': \{\n([\s\S]*?)^ {2}\},$/gm)].map(
        ([, rule = '', body = '']): [string, number] => [rule, body.split('\n').length + 1],
      ),
    ),
  );
}

/** Writes a section of docs/figures.md, or compares it with what is there. */
async function kept(section: string, { write, check }: Keeping): Promise<number> {
  if (write) await storeSection(section);
  if (!check || (await isStored(section))) return 0;
  console.error('docs/figures.md is out of date: run the same with --write.');
  return 1;
}

type Keeping = Readonly<Record<'write' | 'check', boolean>>;

/** Prints what was measured, and what is wrong, by which it fails. */
async function measured(section: string, alarms: readonly string[], keeping: Keeping): Promise<number> {
  console.log(`\n${section}`);
  for (const alarm of alarms) console.error(alarm);
  const code = await kept(section, keeping);
  return alarms.length > 0 ? 1 : code;
}

const runAll = (all: readonly Case[]) => runCases(all, progressOf(all.length, 'runs'));

/** The faults that the globs name. */
const faultsNamed = (globs: readonly string[], otherwise: readonly string[]): readonly string[] =>
  globs.length === 0 ? otherwise : named(globs).flatMap((of) => ('fault' in of ? [of.fault] : []));

/** `--disturbed`: tries some faults while something around the service disturbs it. Fails where it is blamed for that. */
async function whileDisturbed(globs: readonly string[], seeds: number, keeping: Keeping): Promise<number> {
  const rows = rowsOf(await runAll(disturbedCases(faultsNamed(globs, sampleOf(faults)), seeds)));
  for (const { behind, missed } of rows) for (const one of missed) console.log(`${behind}: ${one}`);
  const alarms = rows.flatMap(({ behind, blamed }) => blamed.map((one) => `blamed, ${behind}: ${one}`));
  return measured(disturbedFigures(rows), alarms, keeping);
}

/** `--replicas`: tries faults of one replica of several. Fails where a rule of a conformant service is called violated. */
async function atReplicas(globs: readonly string[], keeping: Keeping): Promise<number> {
  const found = replicaRows(await runAll(replicaCases(faultsNamed(globs, replicaFaults))));
  for (const { rate, missed } of found.rows) console.log(`${rate}, not found: ${missed.join(', ') || 'none'}`);
  return measured(replicaFigures(found), found.alarms, keeping);
}

const countOf = (given: string, option = '--seeds'): number => {
  const count = Number(given);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`${option} takes how many, such as 12.`);
};

/** The cases that the globs name; all if there are none. */
const named = (globs: readonly string[]): readonly Case[] =>
  globs.length === 0 ? cases : cases.filter((of) => globs.some((glob) => matchesGlob(idOf(of), glob)));

/** The cases that the changes of this branch concern. Prints which they are, and what they leave out. */
async function concerned(): Promise<readonly Case[]> {
  const since = await branchPoint();
  const concern = await concernOf(await changedSince(since), (await bundle()).graph, 'proof/worker.ts');
  const chosen = casesFor(concern);
  const { everything, rules } = concern;
  const time = timeText(chosen.length * caseMs);
  if (everything !== undefined)
    console.log(`${everything} has a part in every case: all ${cases.length} are run, in about ${time}.`);
  else if (chosen.length === 0) console.log(`Nothing that the proof runs has changed since ${since.slice(0, 12)}.`);
  else {
    const those = rules.size > 0 ? `: those that ${[...rules].join(', ')} concern` : '';
    console.log(
      `${chosen.length} of ${cases.length} cases, in about ${time}${those}. Whether others raise an alarm, the whole proof shows.`,
    );
  }
  return chosen;
}

/** About how long a case takes, as all cores run cases. */
const caseMs = 1100 / availableParallelism();

const timeText = (ms: number): string =>
  ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;

/** Prints the progress and the time left, in twenty lines. */
function progressOf(of: number, what: string): (done: number) => void {
  const begin = Date.now();
  const print = (done: number) => {
    if (done % Math.ceil(of / 20) > 0) return;
    const leftMs = (of - done) * (done === 0 ? caseMs : (Date.now() - begin) / done);
    process.stderr.write(`${done} of ${of} ${what}, about ${timeText(leftMs)} left\n`);
  };
  print(0);
  return print;
}

/** `--seeds 200`: checks conformant services with that many seeds. */
async function trySeeds(seeds: number): Promise<number> {
  const progress = progressOf(seeds, 'seeds');
  const found = await falseAlarms(seeds, progress);
  for (const alarm of found) console.error(alarm);
  console.log(`${seeds} seeds: ${found.length === 0 ? 'no alarm' : `${found.length} alarms`}.`);
  return found.length === 0 ? 0 : 1;
}

await script(
  'prove',
  'npm run prove -- [IDS…] [--changed | --check | --write | --needed | --seeds N] [--tempo N | --disturbed | --replicas]',
  main,
  {
    '--quick': 'name the cases by ids or globs, or use --changed.',
    '--every': 'name the faults by ids or globs.',
  },
);
