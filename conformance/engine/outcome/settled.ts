/** What each answer of a run counts for: decided once, from all that was sent. */

import { contract } from '../contract.js';
import { memoize } from '../memoize.js';
import type { Exchange, Standing } from '../vocabulary.js';
import { betweenReplaced, ownReplaced } from './excluded.js';
import { hasRightKey, isProbe, isProbeOf, isUnjudged } from './mark.js';
import { hasValidRequestBody, isHtmlPage, isLost, isOutsideContract, isOwnError, saysUnavailable } from './outcome.js';
import { accepted, changesOrEnds, idOfCopy, isCopyRequest, isStart, refused, startedId, traitsOf } from './read.js';

// Copies, so that what was recorded stays as it is. Each is made once: what was computed for it stays valid.
const judgedOf = memoize(({ standing: _, ...one }: Exchange): Exchange => one);
const unjudgedOf = memoize((one: Exchange): Exchange => ({ ...one, standing: 'unjudged' }));
const excludedOf = memoize((one: Exchange): Exchange => ({ ...one, standing: 'excluded' }));
const repeatedOf = memoize((one: Exchange): Exchange => ({ ...one, wasRepeated: true }));
const changedOf = memoize((one: Exchange): Exchange => ({ ...one, changedByRequest: true }));
const wrongOf = memoize((one: Exchange): Exchange => ({ ...one, mayShowWrong: true }));

/**
 * `replaced`: the ids of those whose requests were sent again, or others in their place. `goneAt`: since when the target
 * answers nothing, in milliseconds.
 */
export function settled(
  exchanges: readonly Exchange[],
  replaced: ReadonlySet<number>,
  goneAt = Number.POSITIVE_INFINITY,
): Exchange[] {
  const repeated = new Set(exchanges.flatMap((one) => (accepted(one) && one.mark?.repeats) || []));
  const changed = new Set(exchanges.map((one) => alone(one).changes));
  const showWrong = showingWrong(exchanges);
  return exchanges.map((recorded) => {
    const { begins, standing } = alone(recorded);
    let one = recorded;
    if (repeated.has(one.id)) one = repeatedOf(one);
    if (begins !== undefined && changed.has(begins)) one = changedOf(one);
    if (showWrong.has(recorded)) one = wrongOf(one);
    if (replaced.has(one.id) || (repeated.has(one.id) && refused(one)))
      // An error of the service itself stays one, even if the request is answered when it is sent again.
      return isOwnError(one) && !saysUnavailable(one) && one.at < goneAt ? unjudgedOf(one) : excludedOf(one);
    if (standing === 'excluded' || one.at >= goneAt) return excludedOf(one);
    return standing === 'unjudged' ? unjudgedOf(one) : one;
  });
}

/** What an answer tells by itself: the execution that it begins or changes, and what it counts for. */
const alone = memoize((one: Exchange) => ({
  begins: startedId(one)?.toLowerCase(),
  changes: changesOrEnds(one) && !refused(one) ? one.resource?.toLowerCase() : undefined,
  standing: standingOf(one),
  isWrong:
    isProbe(one) &&
    !hasValidRequestBody(one) &&
    contract().rules.some(({ id, level }) => isProbeOf(one, id) && level === 'SHOULD'),
}));

function standingOf(one: Exchange): Standing | undefined {
  const { mark, response, failure } = one;
  if (!mark || (!response && !failure)) return undefined;
  // The change may have been made.
  const isLostChange = traitsOf(one)?.effect === 'changes' && isLost(one) && response?.body.kind !== 'none';
  if (isLostChange && hasRightKey(one) && !isProbe(one)) return 'excluded';
  if (accepted(one)) return undefined;
  const standing = isUnjudged(one) ? 'unjudged' : mark.ifRefused;
  return standing === 'unjudged' && isHtmlPage(one) ? 'excluded' : standing;
}

/**
 * Answers about executions and profiles for which the service took a wrong value that it need not refuse: they may show
 * it, and are not held against a service that only should have refused it.
 */
function showingWrong(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const withWrong = new Set<string>();
  const answers = exchanges.filter((one) => {
    if (!accepted(one) || !(alone(one).isWrong || withWrong.has(one.resource ?? ''))) return false;
    // The workflow of a start has no part in it.
    const about = isStart(one) || isCopyRequest(one) ? (startedId(one) ?? idOfCopy(one)) : one.resource;
    if (about) withWrong.add(about);
    return true;
  });
  return new Set(answers);
}

/** With the standing of answers that others replaced, now that it is known whose they are. */
export function attributed(exchanges: readonly Exchange[], strange: readonly Exchange[]): Exchange[] {
  const all = [...strange, ...exchanges];
  const [own, between] = [new Set(ownReplaced(all)), new Set(betweenReplaced(all))];
  return exchanges.map((one) => {
    if (between.has(one)) return excludedOf(one);
    if (!own.has(one)) return one;
    return isOutsideContract(one) ? unjudgedOf(one) : judgedOf(one);
  });
}
