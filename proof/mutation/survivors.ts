/** What mutants of the reference service survived the suite, and why the interface cannot show them. */
import { reasons } from './reasons.js';

export interface Score {
  readonly killed: number;
  /** The run did not end in its time: found as well, or slow on a busy machine. */
  readonly timedOut: number;
  /** What was mutated and into what, as in `StringLiteral: 'a' → ""`; with those that no code of the run comes to. */
  readonly survivors: readonly string[];
}

/** By file. */
export type Scores = Readonly<Record<string, Score>>;

/** The name that reasons know a survivor by: `starts.ts StringLiteral: 'a' → ""`. */
const nameOf = (file: string, survivor: string): string => `${file.replace(/^reference\//, '')} ${survivor}`;

const namesIn = (scores: Scores): string[] =>
  Object.entries(scores).flatMap(([file, { survivors }]) => survivors.map((one) => nameOf(file, one)));

const reasonFor = (name: string) => reasons.find(({ of }) => of.some((pattern) => pattern.test(name)));

/** Survivors that nothing explains, and reasons that stand for none, each in a sentence. */
export function problems(scores: Scores): string[] {
  const names = namesIn(scores);
  return [
    ...names.filter((name) => !reasonFor(name)).map((name) => `Nothing says why this survived: ${name}`),
    ...reasons.flatMap(({ why, of }) =>
      of
        .filter((pattern) => !names.some((name) => pattern.test(name)))
        .map((pattern) => `No survivor is called ${pattern}, which ${JSON.stringify(why)} explains.`),
    ),
  ];
}

const percent = (part: number, whole: number): string => `${Math.round((part / whole) * 100)} %`;

/** The section of docs/proof.md, by parts. */
export function section(scores: Scores): { rows: string[][]; why: string[] } {
  type Row = readonly [file: string, killed: number, timedOut: number, left: number];
  const rows = Object.entries(scores).map(([file, one]): Row => [file, one.killed, one.timedOut, one.survivors.length]);
  const total = rows.reduce<Row>(
    (sum, row) => [sum[0], sum[1] + row[1], sum[2] + row[2], sum[3] + row[3]],
    ['All', 0, 0, 0],
  );
  const names = namesIn(scores);
  return {
    rows: [...rows, total].map(([file, killed, timedOut, left]) => {
      const all = killed + timedOut + left;
      return [file, `${all}`, `${killed}`, `${timedOut}`, `${left}`, percent(killed, all)];
    }),
    why: reasons.map((reason) => {
      const mine = names.filter((name) => reasonFor(name) === reason);
      return `- ${reason.why} (${mine.length})\n${mine.map((name) => `  - \`\` ${name} \`\``).join('\n')}`;
    }),
  };
}
