/** interface: Versioning, deprecated request fields. */
import { operations } from '../../../../generated/operations.js';
import { faultOf, isExcluded, isOfRun, isProbe } from '../../../engine/outcome/mark.js';
import { notAccepted, outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  type Fields,
  fieldNames,
  isFields,
  isMeantToPass,
  refused,
  requestBody,
  usesOldName,
} from '../../../engine/outcome/read.js';
import { type Reading, readings } from '../../../engine/outcome/readings.js';
import { combined, satisfied, violated } from '../../../engine/rule/findings.js';
import { probesOf } from '../../../engine/rule/probes.js';
import { contains, has, jsonText, sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Facts, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { groupWasFull } from '../../capacity/view.js';
import { asksToQueue, groupOf, hasBegun, isQueued } from '../../executions/view.js';
import { requestedOptions } from '../asked.js';

interface Replacement {
  readonly field: string;
  readonly by: string;
  /** The field of an execution that shows the effect; null if none does. */
  readonly effect: string | null;
  readonly agrees: (effect: unknown, given: unknown) => boolean;
}

const { deprecatedFields } = operations.executeSync;
type Replacing = NonNullable<(typeof deprecatedFields)[keyof typeof deprecatedFields]>;

/** What an execution shows of each field that has an old name. */
const shown: { readonly [Field in Replacing]: Pick<Replacement, 'effect' | 'agrees'> } = {
  profileId: { effect: 'agentProfileId', agrees: sameId },
  // The service selects the profile of a group.
  profileGroupId: { effect: 'agentProfileId', agrees: () => true },
  inputs: { effect: 'inputs', agrees: (effect, given) => isFields(given) && contains(effect, given) },
};
const replacements = Object.entries(deprecatedFields).map(([field, by]): Replacement => ({ field, by, ...shown[by] }));

/** The deprecated fields of a start that are sent without the fields that replace them. */
const used = (start: Exchange | undefined): Replacement[] => {
  const body: Fields = (start && requestBody(start)) ?? {};
  return replacements.filter(({ field, by }) => has(body, field) && !has(body, by));
};

/** The reading that shows something else than was given, or nothing though the run has begun. */
function atFault({ readings: all }: Trace, { effect, agrees }: Replacement, given: unknown): Reading | undefined {
  if (effect === null) return undefined;
  const seen = readings(all);
  const showing = seen.filter(({ execution }) => has(execution, effect));
  const last = seen.findLast(({ status }) => hasBegun(status));
  return showing.length > 0 ? showing.find(({ execution }) => !agrees(execution[effect], given)) : last;
}

export const deprecated = {
  /**
   * Judges a start with a deprecated field. Passes if the execution shows what the field asks for. Fails if it
   * shows something else, or the start is refused, though the field that replaces it works.
   */
  'deprecated-fields-still-work': combined(
    { trace: shownAsGiven },
    {
      run: ({ traces }) =>
        traces.flatMap((trace) => used(trace.start).flatMap((field) => compare(trace, field, traces) ?? [])),
    },
    { run: refusedByOldName },
    { run: atTheLimit },
    { run: excluded },
  ),
} satisfies Judges;

function shownAsGiven(trace: Trace): Finding[] {
  const { start } = trace;
  if (!start || isProbe(start)) return [];
  return used(start).flatMap((replacement) => {
    const given = requestBody(start)?.[replacement.field];
    const { effect } = replacement;
    const showing = readings(trace.readings).filter(({ execution }) => effect !== null && has(execution, effect));
    const wrong = atFault(trace, replacement, given);
    if (!wrong) return showing.slice(-1).map(({ exchange }) => satisfied([start, exchange]));
    // For starts of the suite, `compare` compares the two fields.
    return isOfRun(start) || showing.length === 0 ? [] : disagreement(start, wrong, replacement);
  });
}

/** Finds starts with deprecated fields that were refused, beside one of the workflow that differs in their names alone. */
function refusedByOldName({ exchanges }: Evidence): Finding[] {
  return exchanges
    .filter((start) => isMeantToPass(start) && outcomeOf(start).kind === 'refused' && used(start).length > 0)
    .map((start) => {
      const names = used(start);
      const peer = exchanges.find((other) => {
        const body = requestBody(other) ?? {};
        return (
          accepted(other) &&
          other.operation === start.operation &&
          other.resource === start.resource &&
          names.every(({ by }) => has(body, by)) &&
          contains(body, requestedOptions(start))
        );
      });
      const fields = names.map(({ field }) => field).join(' and ');
      return notAccepted(start, peer, `${fields} taken, as the fields that replace them are`);
    });
}

const disagreement = (start: Exchange, { exchange, execution }: Reading, { field, by, effect }: Replacement): Finding =>
  violated(
    [start, exchange],
    `${field} to do what ${by} does: ${effect} ${jsonText(requestBody(start)?.[field])}`,
    jsonText(effect === null ? undefined : execution[effect]),
  );

/** Compares a deprecated field with the one that replaces it. If that one fails too, other rules judge it. */
function compare(trace: Trace, replacement: Replacement, traces: readonly Trace[]): Finding | undefined {
  const { start } = trace;
  const { effect } = replacement;
  const wrong = start && isMeantToPass(start) && atFault(trace, replacement, requestBody(start)?.[replacement.field]);
  if (!start || !wrong) return undefined;
  const given = ({ start: other }: Trace) => other && (requestBody(other)?.[replacement.by] ?? undefined);
  const peers = traces.filter(
    (other) => given(other) !== undefined && other.readings.length > 0 && other.start && isMeantToPass(other.start),
  );
  // Where others show it only after a while, it may still come.
  const lacks = ({ execution, status }: Reading) => effect !== null && hasBegun(status) && !has(execution, effect);
  if (lacks(wrong) && peers.some((other) => readings(other.readings).some(lacks))) return undefined;
  const telling =
    peers.length === 0
      ? replacement.effect !== null && has(wrong.execution, replacement.effect)
      : peers.every((other) => !atFault(other, replacement, given(other)));
  return telling ? disagreement(start, wrong, replacement) : undefined;
}

/**
 * Judges a profile together with a group, one of them by its old name. Fails if it is accepted, though all such
 * starts with current names are refused.
 */
function excluded(evidence: Evidence): Finding[] {
  const today = probesOf(evidence, 'profile-excludes-group');
  const mixed = probesOf(evidence, 'deprecated-fields-still-work').filter((one) => names(one).length === 2);
  return today.length > 0 && today.every(refused)
    ? mixed.filter(accepted).map((one) => violated([one, ...today], `a refusal of ${faultOf(one)}`))
    : [];
}

/** The fields by which a start names profiles and groups. */
const names = (start: Exchange): string[] =>
  (['profileId', 'profileGroupId'] as const)
    .flatMap((field) => fieldNames(start, field))
    .filter((field) => has(requestBody(start) ?? {}, field));

/** Judges starts for the full group by its old name. Fails if one gets a profile, and none by the new name does. */
function atTheLimit(evidence: Evidence, facts: Facts): Finding[] {
  const { exchanges } = evidence;
  const full = facts.capacity?.profileGroup;
  const asksFor = (start: Exchange) => full !== undefined && sameId(groupOf(start), full);
  const isOld = (start: Exchange) => usesOldName(start, 'profileGroupId');
  const began = (start: Exchange) => accepted(start) && !isQueued(start) && groupWasFull(evidence, start, facts);
  return exchanges
    .filter((start) => asksFor(start) && isOld(start) && !isExcluded(start))
    .flatMap((start) => {
      const peers = exchanges.filter(
        (other) =>
          other.operation === start.operation &&
          asksFor(other) &&
          !isOld(other) &&
          asksToQueue(other) === asksToQueue(start) &&
          groupWasFull(evidence, other, facts),
      );
      const [peer] = peers;
      if (!peer || peers.some(began)) return [];
      return began(start)
        ? violated([start, peer], `${asksToQueue(start) ? 'a place in the queue' : 'a refusal'}, as of profileGroupId`)
        : [];
    });
}
