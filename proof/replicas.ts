/** Measures what a run and a soak find of services of which one replica has a fault, or conforms in another way. */
import { faults } from '../deviations/index.js';
import { createBehaviour } from '../reference/behaviour/index.js';
import { chooseFrom } from '../reference/choose.js';
import { type Case, idOf } from './cases.js';
import { sampleOf } from './disturbed.js';
import type { Result } from './pool.js';

/** The surroundings, and how often an answer is one of the replica. */
const clusters = { 'two-replicas': '1 of 2', 'four-replicas': '1 of 4', 'twenty-replicas': '1 of 20' } as const;

/** What moves executions on, which the replicas have in common. */
const ofWorkers = ['admit', 'failuresOf', 'filesOf', 'freeProfile', 'mayMove', 'nextQueued', 'resultOf', 'stepsOf'];
const base = createBehaviour(chooseFrom('default'));

/** The faults of the sample that a replica can have. */
export const replicaFaults: readonly string[] = sampleOf(
  faults.filter(({ behaviour }) => !Object.keys(behaviour(base)).some((entry) => ofWorkers.includes(entry))),
  22,
);

/** Ways in which a replica may differ from the others. */
export const replicaWays = [
  ...['other-orders', 'microseconds', 'names-of-prototypes', 'charset', 'ids-in-either-case', 'more-fields'],
  ...['talkative-errors', 'text-json', 'foreign-words', 'local-time', 'signed-urls', 'proxies-have-a-bypass'],
] as const;
/** Gateways that fail at a rate, and replicas and caches that are behind. */
const aroundWays = ['no-route-at-times', 'cut-answers', 'gateway-pages', 'replicas-behind', 'readings-cached-for-long'];

/** A minute at the pace of the surroundings. */
const soakMs = 60_000;

export const replicaCases = (ids: readonly string[]): Case[] => [
  ...Object.keys(clusters).flatMap((behind) => [
    { variation: behind, soakMs },
    ...ids.map((fault) => ({ fault, behind, soakMs })),
  ]),
  ...replicaWays.map((variation, place) => ({
    variation,
    behind: Object.keys(clusters)[place % 3] ?? '',
    soakMs,
  })),
  ...aroundWays.map((variation) => ({ variation, soakMs: soakMs / 10 })),
];

/** Of how many faults at one rate a rule was found violated, and of which none was. */
export interface Row {
  readonly rate: string;
  readonly faults: number;
  readonly inRun: number;
  readonly withSoak: number;
  readonly missed: readonly string[];
}

export function rowsOf(results: readonly Result[]): {
  readonly rows: readonly Row[];
  readonly alarms: readonly string[];
} {
  const found = ({ outcome }: Result) => outcome.rules.filter(({ verdict }) => verdict === 'violated');
  return {
    rows: Object.entries(clusters).map(([behind, rate]) => {
      const those = results.filter(({ of }) => 'fault' in of && of.behind === behind);
      return {
        rate,
        faults: those.length,
        inRun: those.filter((one) => found(one).some(({ isOfSoak }) => !isOfSoak)).length,
        withSoak: those.filter((one) => found(one).length > 0).length,
        missed: those.flatMap((one) => (found(one).length > 0 ? [] : idOf(one.of))),
      };
    }),
    alarms: results.flatMap((one) =>
      'variation' in one.of
        ? found(one).map(({ id, why }) => `${idOf(one.of)}, ${one.of.behind ?? 'alone'}: ${id}: ${why}`)
        : [],
    ),
  };
}

/** The section of docs/figures.md. */
export const replicaFigures = ({
  rows,
  alarms,
}: ReturnType<typeof rowsOf>): string => `## Faults of one replica of several

A sample of the faults, each of one replica: what one run finds, and what it finds with a soak of a minute. ${replicaWays.length + aroundWays.length + rows.length} conformant clusters, gateways and caches are tried as well.

| the replica answers | faults | found in one run | with a soak |
|---|---:|---:|---:|
${rows.map((row) => `| ${[row.rate, row.faults, row.inRun, row.withSoak].join(' | ')} |\n`).join('')}
Of the conformant ones ${alarms.length === 0 ? 'no rule is called violated' : `these rules are called violated: ${alarms.join('; ')}`}.
`;
