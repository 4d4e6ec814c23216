import { expect, test } from 'vitest';
import { judges } from '../../../conformance/judge/index.js';
import type { Judge } from '../../../conformance/vocabulary.js';
import { type RuleId, rules } from '../../../generated/rules.js';
import { judgeTable, type Table, type Tables } from '../../support/judge-table.js';
import { alike } from './tables/alike.js';
import { bounds } from './tables/bounds.js';
import { capacity } from './tables/capacity.js';
import { cookies } from './tables/cookies.js';
import { credentials } from './tables/credentials.js';
import { deprecated } from './tables/deprecated.js';
import { duplicates } from './tables/duplicates.js';
import { errors } from './tables/errors.js';
import { executions } from './tables/executions.js';
import { files } from './tables/files.js';
import { ids } from './tables/ids.js';
import { inbox } from './tables/inbox.js';
import { keys } from './tables/keys.js';
import { lifecycle } from './tables/lifecycle.js';
import { partialUpdates } from './tables/partial-updates.js';
import { pools } from './tables/pools.js';
import { profiles } from './tables/profiles.js';
import { recorded } from './tables/recorded.js';
import { refusals } from './tables/refusals.js';
import { separate } from './tables/separate.js';
import { starts } from './tables/starts.js';
import { sync } from './tables/sync.js';
import { syncExecutions } from './tables/sync-executions.js';
import { syncWaits } from './tables/sync-waits.js';
import { times } from './tables/times.js';
import { traffic } from './tables/traffic.js';
import { unavailable } from './tables/unavailable.js';
import { updates } from './tables/updates.js';

const tables = {
  ...alike,
  ...bounds,
  ...capacity,
  ...cookies,
  ...credentials,
  ...deprecated,
  ...duplicates,
  ...errors,
  ...executions,
  ...files,
  ...ids,
  ...inbox,
  ...keys,
  ...lifecycle,
  ...partialUpdates,
  ...pools,
  ...profiles,
  ...recorded,
  ...refusals,
  ...separate,
  ...starts,
  ...sync,
  ...syncExecutions,
  ...syncWaits,
  ...times,
  ...traffic,
  ...unavailable,
  ...updates,
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
