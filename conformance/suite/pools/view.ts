/** What is seen of a pool: deletions, and starts with it. */

import { isExcluded, isProbe } from '../../engine/outcome/mark.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import { requestFields, startedId, status, usesOldName } from '../../engine/outcome/read.js';
import { probesOf } from '../../engine/rule/probes.js';
import { sameId } from '../../engine/rule/values.js';
import type { Evidence, Exchange } from '../../engine/vocabulary.js';
import { deletesPool } from '../operations.js';

/** A deletion that should not be refused for its key. */
export const isDeletion = (one: Exchange) => deletesPool(one) && !isExcluded(one) && !isProbe(one);

/** The answer with which a pool is gone: that to its deletion or, where that is 202 and it may go on, the first 404. */
export const goneWith = (deletion: Exchange, exchanges: readonly Exchange[]): Exchange | undefined =>
  status(deletion) === 202
    ? exchanges.find((one) => isDeletion(one) && sameId(one.resource, deletion.resource) && status(one) === 404)
    : deletion;

/** A refused start with a group that does not exist: it shows that groups are looked up. */
export const unknownGroup = (evidence: Evidence): Exchange | undefined =>
  probesOf(evidence, 'execute-profile-must-exist').find(
    (one) => requestFields(one).profileGroupId !== undefined && outcomeOf(one).kind === 'refused',
  );

/** Accepted starts with the pool. Another rule judges those with its deprecated name. */
export const usesOf = ({ resource }: Exchange, exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.filter(
    (one) =>
      startedId(one) !== undefined &&
      sameId(requestFields(one).profileGroupId, resource) &&
      !usesOldName(one, 'profileGroupId'),
  );
