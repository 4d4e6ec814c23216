// For each budget of executions: how many rules are judged, how many faults are found, and how long that takes on the
// virtual clock.

import { faults, findFault } from '../deviations/index.js';
import { type Case, idOf, type Tempo } from '../proof/cases.js';
import { type Result, runCases } from '../proof/pool.js';
import type { Scale, Section } from './measure.js';

const budgets = [0, 4, 8, 12, 17, 20, 30, 47];
/** Only every nth fault of the catalogue is tried: some of each topic. */
const everySo = 14;
const minutes = 2;
const tempi: Readonly<Record<string, Tempo>> = {
  'as the reference service is': {},
  [`runs of ${minutes} min, five places`]: { minutes, places: 5 },
};

const judged = ({ outcome }: Result): number =>
  outcome.rules.filter(({ verdict }) => verdict === 'passed' || verdict === 'violated').length;

/** Whether one of the fault's rules was found broken. */
const isFound = ({ of, outcome }: Result): boolean => {
  const breaks: readonly string[] = findFault(idOf(of)).breaks;
  return outcome.rules.some(({ id, verdict }) => verdict === 'violated' && breaks.includes(id));
};

export async function bench({ quick }: Scale): Promise<Section> {
  const sample = faults.filter((_, place) => place % everySo === 0).slice(0, quick ? 1 : undefined);
  const points = Object.entries(tempi).flatMap(([says, tempo]) =>
    (quick ? [0] : budgets).map((executions) => ({ says, at: { ...tempo, executions } })),
  );
  const cases = points.flatMap(({ at }): Case[] => [
    { choices: 'default', at },
    ...sample.map(({ id }) => ({ fault: id, at })),
  ]);
  const results = await runCases(cases);
  const each = cases.length / points.length;
  return {
    title: 'Budgets of executions',
    how:
      `The suite checks the reference service, everything declared and allowed, with so many executions to start; and ${sample.length} ` +
      'faults, every so-manieth of the catalogue. Minutes are those of the virtual clock; run-lengths are minutes by how long a run takes.',
    columns: [
      'runs',
      'budget',
      'executions',
      'rules judged',
      'minutes',
      'run-lengths',
      `faults found of ${sample.length}`,
    ],
    rows: points.map(({ says, at }, place) => {
      const [plain, ...broken] = results.slice(place * each, (place + 1) * each);
      if (!plain) return [];
      const { outcome } = plain;
      const taken = 'minutes' in at ? (outcome.minutes / minutes).toFixed(1) : '';
      return [
        says,
        `${at.executions}`,
        `${outcome.executions}`,
        `${judged(plain)}`,
        outcome.minutes.toFixed(2),
        taken,
        `${broken.filter(isFound).length}`,
      ];
    }),
  };
}
