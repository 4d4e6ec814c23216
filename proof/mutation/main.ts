/**
 * Mutates the reference service, with the suite as the only test, and keeps the results for docs/proof.md. Fails if a
 * mutant survived without a reason why the interface cannot show it, or if a reason fits no mutant.
 *
 *     npm run mutate                                                # every file, in about an hour
 *     npm run mutate -- --mutate reference/behaviour/starts.ts      # these files; the results of others are kept
 *     npm run mutate -- --kept                                      # only the results that are kept
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import storedScores from './scores.json' with { type: 'json' };
import { problems, type Scores } from './survivors.js';

/** The part of Stryker's report that is read here. */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The longest text that is shown in full. */
const longest = 70;

const inOneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
};

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, place) => line.slice(place === 0 ? start.column - 1 : 0, place === last ? end.column - 1 : undefined))
    .join('\n');
}

function scoresOf({ files }: Report): Scores {
  return Object.fromEntries(
    Object.entries(files).map(([file, { source, mutants }]) => {
      const those = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status));
      const named = (...statuses: string[]) =>
        those(...statuses)
          .map(
            ({ location, mutatorName, replacement = '' }) =>
              `${mutatorName}: ${inOneLine(textAt(source, location))} → ${inOneLine(replacement)}`,
          )
          .toSorted();
      const killed = those('Killed').length;
      return [file, { killed, survivors: named('Survived', 'NoCoverage'), endless: named('Timeout') }];
    }),
  );
}

const report = fileURLToPath(new URL('../../reports/mutation/mutation.json', import.meta.url));
const kept = fileURLToPath(new URL('scores.json', import.meta.url));

function mutate(args: readonly string[]): void {
  const config = fileURLToPath(new URL('stryker.config.json', import.meta.url));
  const { status } = spawnSync('npx', ['stryker', 'run', config, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const args = process.argv.slice(2);
if (!args.includes('--kept')) mutate(args);
const scores: Scores = { ...storedScores, ...scoresOf(JSON.parse(readFileSync(report, 'utf8')) as Report) };
writeFileSync(kept, `${JSON.stringify(Object.fromEntries(Object.entries(scores).toSorted()), null, 2)}\n`);
for (const problem of problems(scores)) {
  console.error(problem);
  process.exitCode = 1;
}
