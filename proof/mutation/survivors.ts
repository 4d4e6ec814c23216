/** What mutants of the reference service the suite did not find, and why the interface cannot show them. */
import { reasons } from './reasons.js';

export interface Score {
  readonly killed: number;
  /** What was mutated and into what, as in `StringLiteral: 'a' → ""`; with those that no code of the run comes to. */
  readonly survivors: readonly string[];
  /** Those whose run had to be ended, as survivors are told: no part of what was found, though Stryker counts them. */
  readonly endless: readonly string[];
}

/** By file. */
export type Scores = Readonly<Record<string, Score>>;

/** The name that reasons know a survivor by: `starts.ts StringLiteral: 'a' → ""`. */
const nameOf = (file: string, survivor: string): string => `${file.replace(/^reference\//, '')} ${survivor}`;

const namesIn = (scores: Scores): string[] =>
  Object.entries(scores).flatMap(([file, { survivors, endless }]) =>
    [...survivors, ...endless.map((one) => `${one}, without end`)].map((one) => nameOf(file, one)),
  );

const reasonFor = (name: string) => reasons.find(({ of }) => of.some((pattern) => pattern.test(name)));

/** Mutants not found that nothing explains, and reasons that stand for none, each in a sentence. */
export function problems(scores: Scores): string[] {
  const names = namesIn(scores);
  return [
    ...names.filter((name) => !reasonFor(name)).map((name) => `Nothing says why this was not found: ${name}`),
    ...reasons.flatMap(({ why, of }) =>
      of
        .filter((pattern) => !names.some((name) => pattern.test(name)))
        .map((pattern) => `No mutant left is called ${pattern}, which ${JSON.stringify(why)} explains.`),
    ),
  ];
}

const percent = (part: number, whole: number): string => `${Math.round((part / whole) * 100)} %`;

/** The section of docs/proof.md, by parts. */
export function section(scores: Scores): { rows: string[][]; why: string[] } {
  type Row = readonly [file: string, killed: number, endless: number, left: number];
  const rows = Object.entries(scores).map(
    ([file, one]): Row => [file, one.killed, one.endless.length, one.survivors.length],
  );
  const total = rows.reduce<Row>(
    (sum, row) => [sum[0], sum[1] + row[1], sum[2] + row[2], sum[3] + row[3]],
    ['All', 0, 0, 0],
  );
  const names = namesIn(scores);
  return {
    rows: [...rows, total].map(([file, killed, endless, left]) => {
      const all = killed + endless + left;
      return [file, `${all}`, `${killed}`, `${endless}`, `${left}`, percent(killed, all)];
    }),
    why: reasons.map((reason) => {
      const mine = names.filter((name) => reasonFor(name) === reason);
      return `- ${reason.why} (${mine.length})`;
    }),
  };
}
