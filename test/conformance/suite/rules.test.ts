import { expect, test } from 'vitest';
import type { Judge } from '../../../conformance/engine/vocabulary.js';
import { judges } from '../../../conformance/suite/judges.js';
import { idleRules, type RuleId, rules } from '../../../generated/rules.js';
import { judgeTable, type Table, type Tables } from '../../support/judge-table.js';
import { capacity } from './capacity/tables/capacity.js';
import { duplicates } from './copies/tables/duplicates.js';
import { bounds } from './errors/tables/bounds.js';
import { errors } from './errors/tables/errors.js';
import { ids } from './errors/tables/ids.js';
import { traffic } from './errors/tables/traffic.js';
import { alike } from './executions/tables/alike.js';
import { executions } from './executions/tables/executions.js';
import { lifecycle } from './executions/tables/lifecycle.js';
import { recorded } from './executions/tables/recorded.js';
import { separate } from './executions/tables/separate.js';
import { times } from './executions/tables/times.js';
import { files } from './files/tables/files.js';
import { keyRefusals } from './keys/tables/key-refusals.js';
import { keys } from './keys/tables/keys.js';
import { pools } from './pools/tables/pools.js';
import { cookies } from './profiles/tables/cookies.js';
import { credentials } from './profiles/tables/credentials.js';
import { inbox } from './profiles/tables/inbox.js';
import { partialUpdates } from './profiles/tables/partial-updates.js';
import { profiles } from './profiles/tables/profiles.js';
import { updates } from './profiles/tables/updates.js';
import { deprecated } from './starts/tables/deprecated.js';
import { refusals } from './starts/tables/refusals.js';
import { starts } from './starts/tables/starts.js';
import { unavailable } from './starts/tables/unavailable.js';
import { sync } from './sync/tables/sync.js';
import { syncExecutions } from './sync/tables/sync-executions.js';
import { syncWaits } from './sync/tables/sync-waits.js';

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
  ...keyRefusals,
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

test('every rule of the register has a judge and recordings, also before the contract has its subject', () => {
  const all = [...rules.map(({ id }) => id), ...idleRules].sort();
  expect(Object.keys(judges).sort()).toEqual(all);
  expect(Object.keys(tables).sort()).toEqual(all);
});

for (const id of [...rules.map((rule) => rule.id), ...idleRules]) {
  const judge: Judge | undefined = judges[id];
  const table = (tables as Tables)[id];
  if (judge && table) judgeTable(id, judge, table);
}
