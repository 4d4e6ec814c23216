/** How sharp and how fair the suite is where runs take minutes, and where no more of them may be started than are paid for. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../conformance/engine/vocabulary.js';
import { findFault } from '../deviations/index.js';
import { type RuleId, rules } from '../generated/rules.js';
import { type Case, findVariation, idOf, type Tempo } from './cases.js';
import { type Result, runCases } from './pool.js';

/** Runs of two minutes, five at a time. */
const paid = (executions: number): Tempo => ({ minutes: 2, places: 5, executions });

export const tempos = {
  'two-minutes-17': paid(17),
  'two-minutes-12': paid(12),
} as const satisfies Record<string, Tempo>;

export type TempoName = keyof typeof tempos;

/** What came of all cases at one tempo. */
export interface Figures {
  readonly faults: number;
  /** Faults of which no rule was broken that they declare, though one was judged. */
  readonly overlooked: readonly string[];
  /** Faults of which the report says that no rule was judged that they declare. */
  readonly unjudged: readonly string[];
  /** Faults that break a MUST which they do not declare, and which. */
  readonly blamed: readonly string[];
  readonly ways: number;
  /** Ways to conform of which a MUST was called broken, and which. */
  readonly alarms: readonly string[];
  /** What the reference service takes. */
  readonly judged: number;
  readonly executions: number;
  readonly minutes: number;
}

const musts = new Set<string>(rules.flatMap(({ id, level }) => (level === 'MUST' ? [id] : [])));

export async function proveAt(
  name: TempoName,
  cases: readonly Case[],
  done?: (count: number) => void,
): Promise<Figures> {
  return figuresOf(
    await runCases(
      cases.map((of) => ({ ...of, at: tempos[name] })),
      done,
    ),
  );
}

export function figuresOf(results: readonly Result[]): Figures {
  const faults = results.filter(({ of }) => 'fault' in of);
  const ways = results.filter(({ of }) => !('fault' in of));
  const missed = faults.filter((one) => !verdictsOf(one).includes('violated'));
  const usual = results.find(({ of }) => idOf(of) === 'default')?.outcome;
  return {
    faults: faults.length,
    overlooked: missed.filter((one) => verdictsOf(one).includes('passed')).map(({ of }) => idOf(of)),
    unjudged: missed.filter((one) => !verdictsOf(one).includes('passed')).map(({ of }) => idOf(of)),
    blamed: faults.flatMap(unexpected),
    ways: ways.length,
    alarms: ways.flatMap(unexpected),
    judged: usual?.rules.filter(({ verdict }) => verdict === 'passed').length ?? 0,
    executions: usual?.executions ?? 0,
    minutes: Math.round(usual?.minutes ?? 0),
  };
}

/** Of the rules that a fault declares. */
const verdictsOf = (one: Result): Verdict[] =>
  one.outcome.rules.flatMap(({ id, verdict }) => (declaredOf(one).includes(id) ? [verdict] : []));

const brokenOf = ({ outcome }: Result): RuleId[] =>
  outcome.rules.flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : []));

const declaredOf = ({ of }: Result): readonly RuleId[] => {
  if ('fault' in of) return findFault(of.fault).breaks;
  return 'variation' in of ? (findVariation(of.variation).warns ?? []) : [];
};

const unexpected = (one: Result): string[] => {
  const found = brokenOf(one).filter((id) => musts.has(id) && !declaredOf(one).includes(id));
  return found.length > 0 ? [`${idOf(one.of)}: ${found.join(', ')}`] : [];
};

const file = fileURLToPath(new URL('tempos.json', import.meta.url));

/** As the last `npm run prove -- --tempo` with `--write` left them. */
export const keptFigures = async (): Promise<Partial<Record<TempoName, Figures>>> =>
  JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Partial<Record<TempoName, Figures>>;

export async function keepFigures(name: TempoName, figures: Figures): Promise<void> {
  const all = { ...(await keptFigures()), [name]: figures };
  await writeFile(file, `${JSON.stringify(all, null, 2)}\n`);
}
