/** Measures what the suite finds, and how fairly, if runs take minutes and only a few may be started. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Verdict } from '../conformance/engine/vocabulary.js';
import { findFault } from '../deviations/index.js';
import { type RuleId, rules } from '../generated/rules.js';
import { type Case, findVariation, idOf, type Tempo } from './cases.js';
import { type Result, runCases } from './pool.js';

/** Runs take two minutes, with five at a time. */
const paid = (executions: number): Tempo => ({ minutes: 2, places: 5, executions });

export const tempos = {
  'two-minutes-17': paid(17),
  'two-minutes-12': paid(12),
} as const satisfies Record<string, Tempo>;

export type TempoName = keyof typeof tempos;

/** The results of all cases at one tempo. */
export interface Figures {
  readonly faults: number;
  /** Faults that were not found although one of their rules was judged. */
  readonly overlooked: readonly string[];
  /** Faults of which no rule was judged, as the report says. */
  readonly unjudged: readonly string[];
  /** Faults for which a MUST was called broken that they do not declare, with these rules. */
  readonly blamed: readonly string[];
  readonly ways: number;
  /** Variations and choices for which a MUST was called broken, with these rules. */
  readonly alarms: readonly string[];
  /** Variations and choices whose run is incomplete, with the MUST rules in doubt. */
  readonly doubts: readonly string[];
  /** The result for the reference service: rules judged, executions and minutes. */
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
    doubts: ways.flatMap((one) => listed(one, mustsOf(one, 'inconclusive'))),
    judged: usual?.rules.filter(({ verdict }) => verdict === 'passed').length ?? 0,
    executions: usual?.executions ?? 0,
    minutes: Math.round(usual?.minutes ?? 0),
  };
}

/** The verdicts on the rules that a case declares. */
const verdictsOf = (one: Result): Verdict[] =>
  one.outcome.rules.flatMap(({ id, verdict }) => (declaredOf(one).includes(id) ? [verdict] : []));

const mustsOf = ({ outcome }: Result, wanted: Verdict): RuleId[] =>
  outcome.rules.flatMap(({ id, verdict }) => (verdict === wanted && musts.has(id) ? [id] : []));

const declaredOf = ({ of }: Result): readonly RuleId[] => {
  if ('fault' in of) return findFault(of.fault).breaks;
  return 'variation' in of ? (findVariation(of.variation).warns ?? []) : [];
};

const unexpected = (one: Result): string[] =>
  listed(
    one,
    mustsOf(one, 'violated').filter((id) => !declaredOf(one).includes(id)),
  );

const listed = ({ of }: Result, found: readonly RuleId[]): string[] =>
  found.length > 0 ? [`${idOf(of)}: ${found.join(', ')}`] : [];

const kept = new URL('tempos.json', import.meta.url);
const page = new URL('../docs/slow-runs.md', import.meta.url);

/** `every`: one in so many faults was tried. */
type Measured = Figures & { readonly every: number };
type Kept = Partial<Record<TempoName, Measured>>;

/** Stores the figures, and writes the page that shows those of all tempos. */
export async function storeFigures(name: TempoName, figures: Measured): Promise<void> {
  const all = { ...(JSON.parse(await readFile(kept, 'utf8').catch(() => '{}')) as Kept), [name]: figures };
  await writeFile(kept, `${JSON.stringify(all, null, 2)}\n`);
  await writeFile(page, pageOf(all));
}

export function pageOf(all: Kept): string {
  const rows = (Object.keys(tempos) as TempoName[]).flatMap((name) => {
    const of = all[name];
    if (!of) return [];
    const { every, faults, overlooked, unjudged, ways, alarms, doubts, judged, executions, minutes } = of;
    const found = faults - overlooked.length - unjudged.length;
    const tried = every === 1 ? `all ${faults}` : `${faults}, one of ${every}`;
    const share = `${found} (${Math.floor((100 * found) / faults)} %)`;
    const cells = [
      tempos[name].executions,
      executions,
      minutes,
      judged,
      tried,
      share,
      overlooked.length,
      unjudged.length,
    ];
    return [`| ${[...cells, `${alarms.length} of ${ways}`, `${doubts.length} of ${ways}`].join(' | ')} |`];
  });
  return `# Slow runs and small budgets

Written by \`npm run prove -- --tempo all --write\`. [proof.md](proof.md) shows what is found where a run of the suite may start
60 executions, and these end in less than a second. Of most services they take minutes, and cost something. Here each takes two
minutes, five go at once, and the target file says nothing of how long they take.

| Budget | Executions | Minutes | Rules passed | Faults tried | Found | Overlooked | Not judged | False alarms | In doubt |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

Overlooked: a rule passed that the fault breaks. Not judged: the report says that no such rule was judged, and what to declare.
With runs of two minutes no synchronous start ends within its wait, so all that shows at its end alone is among these. A false
alarm: a service that conforms, and of which a MUST is called broken. In doubt: one of which a MUST neither passed nor was broken
nor left out for want of executions, so that the run is incomplete; most are slower than is waited for where nobody declares how
long runs take, or lose what is sent. \`proof/tempos.json\` names each of them.
`;
}
