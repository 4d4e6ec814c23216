import { expect, test } from 'vitest';
import { judges } from '../../../conformance/judge/index.js';
import type { Judge } from '../../../conformance/vocabulary.js';
import { type RuleId, rules } from '../../../generated/rules.js';
import { judgeTable, type Table, type Tables } from '../../support/judge-table.js';
import { bounds } from './tables/bounds.js';
import { errors } from './tables/errors.js';
import { ids } from './tables/ids.js';
import { keys } from './tables/keys.js';
import { refusals } from './tables/refusals.js';
import { traffic } from './tables/traffic.js';
import { unavailable } from './tables/unavailable.js';

const tables = {
  ...traffic,
  ...errors,
  ...keys,
  ...ids,
  ...refusals,
  ...bounds,
  ...unavailable,
} satisfies Record<RuleId, Table>;

test('every rule of the register has a judge and recordings', () => {
  const all = rules.map(({ id }) => id).sort();
  expect(Object.keys(judges).sort()).toEqual(all);
  expect(Object.keys(tables).sort()).toEqual(all);
});

for (const { id } of rules) {
  const judge: Judge | undefined = judges[id];
  const table = (tables as Tables)[id];
  if (judge && table) judgeTable(id, judge, table);
}
