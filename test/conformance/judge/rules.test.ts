import { expect, test } from 'vitest';
import { judges } from '../../../conformance/judge/index.js';
import { type RuleId, rules } from '../../../generated/rules.js';
import { judgeTable, type Table } from '../../support/judge-table.js';

// Each topic's recordings: spread them here.
const tables = {} satisfies Record<RuleId, Table>;

test('every rule of the register has a judge and recordings', () => {
  const ids = rules.map(({ id }) => id).sort();
  expect(Object.keys(judges).sort()).toEqual(ids);
  expect(Object.keys(tables).sort()).toEqual(ids);
});

for (const { id } of rules) if (id in tables) judgeTable(id, judges[id], tables[id]);
