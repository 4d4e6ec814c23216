/** What benchmarks share: measuring, ratios, and the shape of their results. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A goal for speed or size, and the value that was measured. */
export interface Aim {
  readonly says: string;
  readonly was: string;
  readonly met: boolean;
}

/** The result of a benchmark: a table, and whether its aims are met. */
export interface Section {
  readonly title: string;
  /** What was measured, and how. */
  readonly how: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly aims: readonly Aim[];
}

export type Bench = () => Promise<Section>;

/** A section as Markdown: its table, which aims are met, and where it was measured. */
export function markdown({ title, how, columns, rows, aims }: Section, machine: string): string {
  const table = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const reached = aims.map(({ says, was, met }) => `- ${met ? 'Met' : '**Not met**'}: ${says}. It was ${was}.`);
  return [`## ${title}`, how, table.join('\n'), reached.join('\n'), machine].join('\n\n');
}

/** When and where a measurement begins. */
export function here(load = loadavg()[0] ?? 0): string {
  const date = new Date().toISOString().slice(0, 10);
  const place = `Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model})`;
  const busy =
    load > 0.5 * availableParallelism() ? ' The machine was busy: times are too long, and brackets wide.' : '';
  return `Measured on ${date}: ${place}, load average ${load.toFixed(1)}.${busy}`;
}

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (place: number) => sorted[Math.floor(place)] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return { min: at(0), median: (at(middle) + at(middle + 0.5)) / 2, max: at(sorted.length - 1) };
}

/** Ratios of each round, because a slow moment of the machine affects both sides of it. */
export const ratios = (over: readonly number[], under: readonly number[]): Spread =>
  spread(over.map((value, round) => value / (under[round] ?? Number.NaN)));

export const show = ({ min, median, max }: Spread, digits = 2): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;

/** Measures each side once per round, in alternating order. */
export async function alternating<K extends string, T>(
  rounds: number,
  sides: Readonly<Record<K, () => Promise<T>>>,
): Promise<Record<K, T[]>> {
  const names = Object.keys(sides) as K[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<K, T[]>;
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 ? names.toReversed() : names) measured[name].push(await sides[name]());
  return measured;
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** From start to exit. */
  readonly ms: number;
}

/** Runs Node to its end. Throws with its error output if it fails. */
export async function mustRunNode(args: readonly string[]): Promise<Ended> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}: ${stderr.slice(-2000)}`);
  return { stdout, stderr, ms: performance.now() - begun };
}
