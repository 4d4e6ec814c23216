import { expect, test } from 'vitest';
import { type SuccessGapId, successGaps } from '../../../conformance/suite/errors/gaps.js';
import { observe, observers } from '../../../conformance/suite/judges.js';
import { gather } from '../../../conformance/suite/views.js';
import { gaps, type ObservableGapId } from '../../../generated/rules.js';
import { facts } from '../../support/evidence.js';
import { gapTables, type Observations } from '../../support/gap-table.js';
import { requestGaps } from './errors/tables/gaps-requests.js';
import { executionGaps } from './executions/tables/gaps-executions.js';
import { profileGaps } from './profiles/tables/gaps-profiles.js';

const tables = { ...requestGaps, ...executionGaps, ...profileGaps } satisfies Record<
  Exclude<ObservableGapId, SuccessGapId>,
  Observations
>;

test('every observable gap has an observer and recordings', () => {
  const all = gaps.flatMap(({ id, observable }) => (observable ? id : [])).sort();
  expect(Object.keys(observers).sort()).toEqual(all);
  expect(Object.keys({ ...tables, ...successGaps }).sort()).toEqual(all);
});

test('without exchanges there are no observations', () => {
  const observable = gaps.filter(({ observable }) => observable);
  expect(observe(gather([]), facts())).toEqual(observable.map(({ id }) => ({ id, observed: [] })));
});

gapTables(tables);
