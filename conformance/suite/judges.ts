/** Every rule of the register has a judge, and every judge a rule: it does not compile otherwise. */
import type { RuleId } from '../../generated/rules.js';
import { ignoringUnlabelled } from '../engine/rule/unlabelled-bodies.js';
import type { Judge } from '../engine/vocabulary.js';
import { begins } from './capacity/rules/begins.js';
import { freed } from './capacity/rules/freed.js';
import { queued } from './capacity/rules/queued.js';
import { turns } from './capacity/rules/turns.js';
import { independent } from './copies/rules/independent.js';
import { copiedItems } from './copies/rules/items.js';
import { copyNames } from './copies/rules/names.js';
import { newCopies } from './copies/rules/new.js';
import { copyOrganizations } from './copies/rules/organizations.js';
import { copiedSettings } from './copies/rules/settings.js';
import { traffic } from './errors/rules/all-answers.js';
import { errors } from './errors/rules/bodies.js';
import { bounds } from './errors/rules/bounds.js';
import { ids } from './errors/rules/ids.js';
import { alike } from './executions/rules/alike.js';
import { durations } from './executions/rules/durations.js';
import { ends } from './executions/rules/ends.js';
import { identities } from './executions/rules/identity.js';
import { onlyWhen } from './executions/rules/only-when.js';
import { progresses } from './executions/rules/progress.js';
import { executions } from './executions/rules/reading.js';
import { recorded } from './executions/rules/recorded.js';
import { separate } from './executions/rules/separate.js';
import { times } from './executions/rules/times.js';
import { files } from './files/rules.js';
import { keyRefusals } from './keys/refused-for-key.js';
import { keys } from './keys/rules.js';
import { pools } from './pools/rules.js';
import { addedItems } from './profiles/rules/added-items.js';
import { applied } from './profiles/rules/applies.js';
import { atomic } from './profiles/rules/atomic.js';
import { cookieExpiry } from './profiles/rules/cookie-expiry.js';
import { deletedItems } from './profiles/rules/deleted-items.js';
import { profileIdentities } from './profiles/rules/identity.js';
import { inbox } from './profiles/rules/inbox.js';
import { names } from './profiles/rules/names.js';
import { partial } from './profiles/rules/partial.js';
import { popupBlocker } from './profiles/rules/popup-blocker.js';
import { proxyPassword } from './profiles/rules/proxy-password.js';
import { updatedCredentials } from './profiles/rules/updated-credentials.js';
import { starts } from './starts/rules/accepted.js';
import { atOnce } from './starts/rules/at-once.js';
import { deprecated } from './starts/rules/deprecated.js';
import { refusals } from './starts/rules/refusals.js';
import { unavailable } from './starts/rules/unavailable.js';
import { variants } from './starts/rules/variants.js';
import { sync } from './sync/rules/answers.js';
import { syncWaits } from './sync/rules/waits.js';

const byRule = {
  ...traffic,
  ...errors,
  ...keys,
  ...keyRefusals,
  ...ids,
  ...refusals,
  ...bounds,
  ...unavailable,
  ...starts,
  ...variants,
  ...atOnce,
  ...deprecated,
  ...queued,
  ...begins,
  ...turns,
  ...freed,
  ...sync,
  ...syncWaits,
  ...executions,
  ...ends,
  ...progresses,
  ...identities,
  ...onlyWhen,
  ...durations,
  ...recorded,
  ...separate,
  ...alike,
  ...times,
  ...files,
  ...applied,
  ...partial,
  ...atomic,
  ...profileIdentities,
  ...popupBlocker,
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
  ...copyNames,
  ...copyOrganizations,
  ...pools,
} satisfies Record<RuleId, Judge>;

export const judges = Object.fromEntries(
  Object.entries(byRule).map(([id, judge]) => [id, ignoringUnlabelled(judge)]),
) as Record<RuleId, Judge>;
