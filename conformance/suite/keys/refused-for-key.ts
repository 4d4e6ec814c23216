/** interface: Authentication. What is answered 401 or 403 for its key, and what it must not have done. */
import type { OperationId } from '../../../generated/operations.js';
import type { RuleId } from '../../../generated/rules.js';
import { accepted, answer, declined, sent, status } from '../../engine/outcome/read.js';
import { broken, kept } from '../../engine/rule/findings.js';
import { sameId } from '../../engine/rule/values.js';
import { shown } from '../../engine/rule/words.js';
import type { Evidence, Exchange, Finding, Judge } from '../../engine/vocabulary.js';
import { afterKeys, besideKeys } from '../capacity/wrong-keys.js';
import { namedBack } from '../copies/name-back.js';
import { answerText, excuse } from '../excuses.js';
import { saysTheSame } from '../missing-ids.js';
import { isGoneBefore } from '../pools/rules.js';
import { doneOfRefused } from '../profiles/rules/atomic.js';
import { refusedForKey } from './for-key.js';

const stepOf = ({ mark }: Exchange): string => (mark?.superseded ? '' : (mark?.step ?? ''));

/** Whether between two requests others of these operations were sent with keys that are not right, and each was refused for its key. */
function onlyRefused(
  from: Exchange,
  to: Exchange,
  all: readonly Exchange[],
  operations: readonly OperationId[],
): boolean {
  const others = all.filter(
    (one) =>
      one.id > from.id &&
      one.id < to.id &&
      one.operation !== null &&
      operations.includes(one.operation) &&
      one.mark?.credential !== 'primary',
  );
  return others.length > 0 && others.every(refusedForKey);
}

/** Starts of a group right after others that were refused for their keys, and starts of it with none before. */
function placesTaken({ exchanges }: Evidence): Finding | undefined {
  const after = exchanges.filter((one) => stepOf(one).startsWith(afterKeys));
  const beside = exchanges.filter((one) => stepOf(one).startsWith(besideKeys));
  // Whoever asks with wrong keys may be told to slow down: it has to be refused as one is for want of a place.
  const full = exchanges.find((one) => one.mark?.probe?.rule === 'over-capacity-is-rejected' && declined(one));
  const isFull = (one: Exchange) => full !== undefined && declined(one) && saysTheSame(one, full);
  const isAlways =
    beside.every(accepted) &&
    after.every((one, round) => {
      const twin = beside[round];
      return isFull(one) && twin !== undefined && onlyRefused(twin, one, exchanges, ['execute', 'executeSync']);
    });
  const [first, other] = [after[0], beside[0]];
  return first && other && isAlways && after.length > 1 && beside.length > 1
    ? broken([first, other], 'a place for a start after others that were refused for their keys', answerText(first))
    : undefined;
}

/** Copies that get back a name which they had, and get it back no more after duplications that were refused for their keys. */
function copiesMade({ exchanges }: Evidence): Finding | undefined {
  const of = (step: string) => exchanges.filter((one) => stepOf(one) === step);
  const [before, after] = [of(namedBack.before), of(namedBack.after)];
  const isBack = (one: Exchange) => accepted(one) && answer(one)?.name === sent(one)?.name;
  const pairs = after.flatMap((one) => {
    const twin = before.find((other) => sameId(other.resource, one.resource) && isBack(other));
    return twin && onlyRefused(twin, one, exchanges, ['duplicateProfile']) ? { one, twin } : [];
  });
  const taken = pairs.filter(({ one }) => !isBack(one) && (accepted(one) || excuse(one) === undefined || is409(one)));
  const [first] = taken;
  // Somebody else may give one name to a copy of theirs at just that moment, and hardly two.
  if (first && taken.length > 1)
    return broken(
      [first.one, first.twin],
      `the name ${shown(sent(first.one)?.name)} free, as it was before duplications that were refused for their keys`,
      answerText(first.one),
    );
  const [back] = pairs.filter(({ one }) => isBack(one));
  return back && kept([back.one, back.twin]);
}

const is409 = (one: Exchange): boolean => status(one) === 409;

export const keyRefusals = {
  /**
   * Seen: a request that was answered 401 or 403 for its key, and what it was for. Kept where nothing of it was done; broken
   * where a profile shows it, a group lacks places for it, a name is taken by a copy, or a pool is gone.
   */
  'key-refusal-does-nothing': {
    profile: doneOfRefused(refusedForKey),
    run: (evidence, facts) => [
      ...[placesTaken(evidence), copiesMade(evidence)].flatMap((one) => one ?? []),
      ...evidence.exchanges.flatMap((one) => isGoneBefore(one, evidence, facts) ?? []),
    ],
  },
} satisfies Partial<Record<RuleId, Judge>>;
