/** Every rule of the register has a judge, and every judge a rule: it does not compile otherwise. */
import type { RuleId } from '../../generated/rules.js';
import type { Judge } from '../vocabulary.js';
import { alike } from './rules/alike.js';
import { bounds } from './rules/bounds.js';
import { capacity } from './rules/capacity.js';
import { cookiesAndCredentials } from './rules/cookies-and-credentials.js';
import { deprecated } from './rules/deprecated.js';
import { duplicates } from './rules/duplicates.js';
import { errors } from './rules/errors.js';
import { executions } from './rules/executions.js';
import { files } from './rules/files.js';
import { ids } from './rules/ids.js';
import { inbox } from './rules/inbox.js';
import { keys } from './rules/keys.js';
import { lifecycle } from './rules/lifecycle.js';
import { names } from './rules/names.js';
import { pools } from './rules/pools.js';
import { profiles } from './rules/profiles.js';
import { recorded } from './rules/recorded.js';
import { refusals } from './rules/refusals.js';
import { separate } from './rules/separate.js';
import { starts } from './rules/starts.js';
import { sync } from './rules/sync.js';
import { syncWaits } from './rules/sync-waits.js';
import { times } from './rules/times.js';
import { traffic } from './rules/traffic.js';
import { unavailable } from './rules/unavailable.js';
import { ignoringUnlabelled } from './unlabelled-bodies.js';

const byRule = {
  ...traffic,
  ...errors,
  ...keys,
  ...ids,
  ...refusals,
  ...bounds,
  ...unavailable,
  ...starts,
  ...deprecated,
  ...capacity,
  ...sync,
  ...syncWaits,
  ...executions,
  ...lifecycle,
  ...recorded,
  ...separate,
  ...alike,
  ...times,
  ...files,
  ...profiles,
  ...names,
  ...cookiesAndCredentials,
  ...inbox,
  ...duplicates,
  ...pools,
} satisfies Record<RuleId, Judge>;

export const judges = Object.fromEntries(
  Object.entries(byRule).map(([id, judge]) => [id, ignoringUnlabelled(judge)]),
) as Record<RuleId, Judge>;
