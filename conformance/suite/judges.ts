/** The judge of each rule. The compiler checks that every rule of the register has one, and that there are no more. */

import { type CallerRuleId, gaps, type ObservableGapId, type RuleId } from '../../generated/rules.js';
import type { Report } from '../engine/vocabulary/report.js';
import type { Evidence, Facts, Judge, Observer } from '../engine/vocabulary.js';
import { followingJudges } from './callers/rules/following.js';
import { requestJudges } from './callers/rules/requests.js';
import { begins } from './capacity/rules/begins.js';
import { freed } from './capacity/rules/freed.js';
import { queued, turns } from './capacity/rules/queue.js';
import { copiedItems, copiedSettings } from './copies/rules/copied.js';
import { independent } from './copies/rules/independent.js';
import { copyOrganizations, newCopies } from './copies/rules/new.js';
import { errorGaps, successGaps } from './errors/gaps.js';
import { traffic } from './errors/rules/all-answers.js';
import { errors } from './errors/rules/bodies.js';
import { ids } from './errors/rules/ids.js';
import { lifecycleGaps } from './executions/gaps.js';
import { alike } from './executions/rules/alike.js';
import { durations } from './executions/rules/durations.js';
import { ends } from './executions/rules/ends.js';
import { givenOptions } from './executions/rules/given.js';
import { identities } from './executions/rules/identity.js';
import { onlyWhen } from './executions/rules/only-when.js';
import { progresses } from './executions/rules/progress.js';
import { executions } from './executions/rules/reading.js';
import { separate } from './executions/rules/separate.js';
import { times } from './executions/rules/times.js';
import { usedProfile } from './executions/rules/used-profile.js';
import { listed } from './files/rules/listed.js';
import { stayListed } from './files/rules/stay.js';
import { keyGaps } from './keys/keys-and-ids.js';
import { keys } from './keys/rules/keys.js';
import { keyRefusals } from './keys/rules/nothing-done.js';
import { pools } from './pools/rules.js';
import { profileGaps } from './profiles/gaps.js';
import { applied, partial } from './profiles/rules/applies.js';
import { cookieExpiry, couplingJudges, profileIdentities } from './profiles/rules/identity.js';
import { inbox } from './profiles/rules/inbox.js';
import { addedItems, deletedItems, updatedCredentials } from './profiles/rules/items.js';
import { lengthsOfTexts, names } from './profiles/rules/names.js';
import { proxyPassword } from './profiles/rules/proxy-password.js';
import { starts } from './starts/rules/accepted.js';
import { atOnce } from './starts/rules/at-once.js';
import { deprecated } from './starts/rules/deprecated.js';
import { initialStatus } from './starts/rules/initial-status.js';
import { refusals } from './starts/rules/refusals.js';
import { unavailable } from './starts/rules/unavailable.js';
import { variants } from './starts/rules/variants.js';
import { results } from './sync/rules/results.js';
import { sameBody } from './sync/rules/same-body.js';
import { statuses } from './sync/rules/statuses.js';
import { currentStatus, keepsRunning } from './sync/rules/unfinished.js';
import { syncWaits } from './sync/rules/waits.js';

// The observer of each gap. The compiler checks that every observable gap of the register has one.

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

export const judges: Record<RuleId, Judge> = {
  ...traffic,
  ...errors,
  ...keys,
  ...keyRefusals,
  ...ids,
  ...refusals,
  ...lengthsOfTexts,
  ...unavailable,
  ...starts,
  ...initialStatus,
  ...variants,
  ...atOnce,
  ...deprecated,
  ...queued,
  ...begins,
  ...turns,
  ...freed,
  ...statuses,
  ...keepsRunning,
  ...results,
  ...sameBody,
  ...currentStatus,
  ...syncWaits,
  ...executions,
  ...ends,
  ...progresses,
  ...identities,
  ...onlyWhen,
  ...durations,
  ...givenOptions,
  ...usedProfile,
  ...separate,
  ...alike,
  ...times,
  ...listed,
  ...stayListed,
  ...applied,
  ...partial,
  ...profileIdentities,
  ...couplingJudges,
  ...proxyPassword,
  ...names,
  ...cookieExpiry,
  ...addedItems,
  ...deletedItems,
  ...updatedCredentials,
  ...inbox,
  ...newCopies,
  ...independent,
  ...copiedSettings,
  ...copiedItems,
  ...copyOrganizations,
  ...pools,
};

/** Rules about callers. Only recordings and certify are judged by them, never a target. */
export const callerJudges = { ...requestJudges, ...followingJudges } satisfies Record<CallerRuleId, Judge>;
