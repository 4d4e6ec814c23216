/** The observer of each gap. The compiler checks that every observable gap of the register has one. */
import { gaps, type ObservableGapId } from '../../generated/rules.js';
import type { Report } from '../engine/vocabulary/report.js';
import type { Evidence, Facts, Observer } from '../engine/vocabulary.js';
import { errorGaps, successGaps } from './errors/gaps.js';
import { lifecycleGaps } from './executions/gaps.js';
import { keyGaps } from './keys/gaps.js';
import { profileGaps } from './profiles/gaps.js';

export const observers = {
  ...errorGaps,
  ...keyGaps,
  ...lifecycleGaps,
  ...successGaps,
  ...profileGaps,
} satisfies Record<ObservableGapId, Observer>;

/** What the target does where the interface is silent, in the order of the register. */
export const observe = (evidence: Evidence, facts: Facts): Report['gaps'] =>
  gaps.flatMap(({ id, observable }) => (observable ? [{ id, observed: observers[id](evidence, facts) }] : []));
