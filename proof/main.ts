import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { matchesGlob } from '../cli/glob.js';
import { nearest } from '../conformance/engine/settings/nearest.js';
import { script } from '../scripts/script.js';
import { bundle } from './bundle.js';
import { type Case, cases, idOf } from './cases.js';
import { branchPoint, casesFor, changedSince, concernOf } from './changed.js';
import { markdown } from './markdown.js';
import { prove } from './prove.js';
import { seal } from './seal.js';
import { falseAlarms } from './seeds.js';
import { proveAt, storeFigures, type TempoName, tempos } from './tempos.js';
import { matrixText, standing, summary } from './terminal.js';

const page = fileURLToPath(new URL('../docs/proof.md', import.meta.url));

/**
 * Proves that every rule can fail and can hold; exits with 1 if not. `--write` writes docs/proof.md, `--check` fails if
 * that page is out of date, `--quick` looks for faults in what is sent for their rules first, `--tempo` shows what is
 * found if runs take minutes. Arguments are ids or globs (`sync-*`)
 * of faults, choices and variations: only these are run.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      changed: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      seeds: { type: 'string' },
      tempo: { type: 'string' },
      every: { type: 'string' },
    },
  });
  const { tempo, every } = values;
  if (every !== undefined && tempo === undefined) throw new Error('--every goes with --tempo.');
  if (values.quick && (values.write || values.check || values.seeds !== undefined || tempo !== undefined))
    throw new Error('--quick goes with --changed and ids alone: what is written down is seen in whole runs.');
  if (tempo !== undefined && (values.changed || values.check || values.seeds !== undefined))
    throw new Error('--tempo goes with --every, --write and ids alone.');
  if (values.changed && (positionals.length > 0 || values.write || values.check || values.seeds !== undefined))
    throw new Error('--changed goes alone.');
  if (values.seeds !== undefined && positionals.length > 0) throw new Error('--seeds takes one number and no ids.');
  if (values.seeds !== undefined) return tryN(Number(values.seeds));
  const nobody = positionals.find((glob) => !cases.some((of) => matchesGlob(idOf(of), glob)));
  if (nobody !== undefined) {
    const meant = nearest(nobody, cases.map(idOf));
    const wayOut = meant ? `; did you mean ${meant}?` : ': docs/proof.md lists all.';
    throw new Error(`no fault, choice or variation is called ${nobody}${wayOut}`);
  }
  if (tempo !== undefined) return atTempo(tempo, positionals, values.write, Number(every ?? 1));
  const changed = values.changed ? await concerned() : undefined;
  if (changed?.length === 0) return 0;
  const chosen = changed ?? named(positionals);
  if ((values.write || values.check) && chosen !== cases) throw new Error('--write and --check need the whole proof.');
  const told = telling(chosen.length, 'services checked');
  const proof = await prove(told.count, chosen, values.quick);
  told.end();
  if (chosen === cases && !values.quick) console.log(`${matrixText(proof)}\n`);
  console.log(standing(proof));
  console.log(summary(proof));
  for (const problem of proof.problems) console.error(problem);
  if (proof.problems.length > 0) return 1;
  const text = seal(markdown(proof), (await bundle()).digest);
  if (values.write) await writeFile(page, text);
  if (!values.check || (await readFile(page, 'utf8')) === text) return 0;
  console.error('docs/proof.md is out of date: npm run prove -- --write');
  return 1;
}

/** The cases that the globs name; all if there are none. */
const named = (globs: readonly string[]): readonly Case[] =>
  globs.length === 0 ? cases : cases.filter((of) => globs.some((glob) => matchesGlob(idOf(of), glob)));

/**
 * `--tempo two-minutes-12`, or `all`: runs the cases with runs that take minutes. Fails if a MUST is called broken for
 * a service that conforms. Prints which faults are found; `--write` keeps that for docs/slow-runs.md. `--every 4` tries
 * one in four faults.
 */
async function atTempo(wanted: string, globs: readonly string[], isKept: boolean, every: number): Promise<number> {
  const names = Object.keys(tempos) as TempoName[];
  const chosen = names.filter((name) => wanted === 'all' || name === wanted);
  if (chosen.length === 0) throw new Error(`--tempo takes all, or one of ${names.join(', ')}.`);
  if (isKept && globs.length > 0) throw new Error('--write needs all cases.');
  if (!Number.isInteger(every) || every < 1) throw new Error('--every takes a number, such as 4.');
  const those = named(globs).filter((of, place) => !('fault' in of) || place % every === 0);
  let alarms = 0;
  for (const name of chosen) {
    const told = telling(those.length, `services checked, ${name}`);
    const figures = await proveAt(name, those, told.count);
    told.end();
    const { faults, overlooked, unjudged, blamed, ways } = figures;
    const found = faults - overlooked.length - unjudged.length;
    console.log(`${name}: ${found} of ${faults} faults found, ${ways} ways to conform.`);
    for (const one of overlooked) console.log(`  overlooked ${one}`);
    for (const one of unjudged) console.log(`  not judged ${one}`);
    for (const one of blamed) console.log(`  breaks what it does not declare ${one}`);
    for (const one of figures.doubts) console.log(`  in doubt ${one}`);
    for (const one of figures.alarms) console.error(`  alarm ${one}`);
    if (isKept) await storeFigures(name, { every, ...figures });
    alarms += figures.alarms.length;
  }
  return alarms > 0 ? 1 : 0;
}

/** The cases that the changes of this branch concern. Prints which they are, and what they leave out. */
async function concerned(): Promise<readonly Case[]> {
  const since = await branchPoint();
  const concern = await concernOf(await changedSince(since), (await bundle()).graph, 'proof/worker.ts');
  const chosen = casesFor(concern);
  const { everything, rules } = concern;
  if (everything !== undefined) console.log(`${everything} has a part in every case.`);
  else if (chosen.length === 0) console.log(`Nothing that the proof runs has changed since ${since.slice(0, 12)}.`);
  else {
    const those = rules.size > 0 ? `: those that ${[...rules].join(', ')} concern` : '';
    console.log(
      `${chosen.length} of ${cases.length} cases${those}. Whether others raise an alarm, the whole proof tells.`,
    );
  }
  return chosen;
}

/** Shows the progress: on a terminal in one line that changes, otherwise in a line now and then. */
function telling(of: number, what: string) {
  const { isTTY } = process.stderr;
  return {
    count: (count: number) => {
      if (isTTY) process.stderr.write(`\r${count} of ${of} ${what}`);
      else if (count % 100 === 0) process.stderr.write(`${count} of ${of} ${what}\n`);
    },
    end: () => {
      if (isTTY) process.stderr.write('\r\u001b[K');
    },
  };
}

/** `--seeds 200`: checks conformant services with that many seeds. */
async function tryN(seeds: number): Promise<number> {
  if (!Number.isInteger(seeds) || seeds < 1) throw new Error('--seeds takes how many, such as 200.');
  const told = telling(seeds, 'seeds');
  const found = await falseAlarms(seeds, told.count);
  told.end();
  for (const alarm of found) console.error(alarm);
  console.log(`${seeds} seeds: ${found.length === 0 ? 'no alarm' : `${found.length} alarms`}.`);
  return found.length === 0 ? 0 : 1;
}

await script(
  'prove',
  'npm run prove -- [IDS…] [--quick] [--changed | --check | --write | --seeds N] [--tempo NAME [--every N]]',
  main,
);
