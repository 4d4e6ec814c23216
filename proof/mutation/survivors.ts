/** The mutants that the suite did not find, and why the interface cannot show them. */
import { reasons } from './reasons.js';

export interface Score {
  readonly killed: number;
  /** Mutations, as in `StringLiteral: 'a' → ""`, including those in code that no run reaches. */
  readonly survivors: readonly string[];
  /** Mutants whose run had to be stopped. They do not count as found, although Stryker counts them. */
  readonly endless: readonly string[];
}

/** By file. */
export type Scores = Readonly<Record<string, Score>>;

/** The name of a survivor in reasons.ts: `starts.ts StringLiteral: 'a' → ""`. */
const nameOf = (file: string, survivor: string): string => `${file.replace(/^reference\//, '')} ${survivor}`;

const namesIn = (scores: Scores): string[] =>
  Object.entries(scores).flatMap(([file, { survivors, endless }]) =>
    [...survivors, ...endless.map((one) => `${one}, without end`)].map((one) => nameOf(file, one)),
  );

const reasonFor = (name: string) => reasons.find(({ of }) => of.some((pattern) => pattern.test(name)));

/** A sentence for each survivor without a reason, and for each reason without a survivor. */
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

/** The parts of the section in docs/proof.md. */
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
