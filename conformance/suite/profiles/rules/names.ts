/** interface: Agent profile, name; Limits, name and description. */

import { faultOf, isAt, isOfRun } from '../../../engine/outcome/mark.js';
import { accepted, answerBody, refused, requestBody, status } from '../../../engine/outcome/read.js';
import { precedes } from '../../../engine/outcome/when.js';
import { combined, satisfied, violated } from '../../../engine/rule/findings.js';
import { bounded, comparedWithControl, judgeProbes, mustRefuse, probesOf } from '../../../engine/rule/probes.js';
import { asText, jsonText, sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Judges } from '../../../engine/vocabulary.js';
import { updatesProfile } from '../../operations.js';
import { lengthStep, textBounds } from '../settings.js';

/** Whether it was accepted, but with another name in place of the one that is taken: that keeps names unique. */
const isPutRight = (probe: Exchange): boolean => {
  const name = accepted(probe) ? answerBody(probe)?.name : undefined;
  return typeof name === 'string' && name !== requestBody(probe)?.name;
};

const takenNames = judgeProbes('profile-name-is-unique', (probe, evidence) => {
  if (isPutRight(probe)) return satisfied(probe);
  return mustRefuse(probe, faultOf(probe) ?? '') ?? comparedWithControl(evidence, probe);
});

export const names = {
  // Judges an update to the name of another profile. Passes if it is refused, or the name is changed; fails if it
  // is accepted, or if a profile has a name before and after another one is seen to have it.
  'profile-name-is-unique': combined({ run: takenNames }, { run: sharedNames }),
} satisfies Judges;

const readings = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.filter((one) => isOfRun(one) && accepted(one) && updatesProfile(one));

/** Assumes that a name which two consecutive answers show did not change in between. */
function sharedNames({ profiles }: Evidence): Finding[] {
  const all = profiles.map(({ exchanges }) => readings(exchanges));
  return all.flatMap((own) =>
    own.flatMap((to, place): Finding | [] => {
      const from = own[place - 1];
      const { id, name, organizationId } = answerBody(to) ?? {};
      if (!from || typeof name !== 'string' || answerBody(from)?.name !== name) return [];
      const other = all.flat().find((one) => {
        const theirs = answerBody(one) ?? {};
        const isAnother = !sameId(theirs.id, id) && sameId(theirs.organizationId, organizationId);
        return isAnother && theirs.name === name && precedes(from, one) && precedes(one, to);
      });
      return other
        ? violated([other, from, to], 'a name that no other profile has', `${jsonText(name)}, which another one has`)
        : [];
    }),
  );
}

const text = (exchange: Exchange, field: string): string | undefined => {
  const value = requestBody(exchange)?.[field];
  return typeof value === 'string' ? value : undefined;
};

/** Statuses by which a service may say that another profile has a name. */
const ofTakenName = [400, 409, 422];

/** The words of a text, without punctuation. */
const words = (of: string): string => ` ${of.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

/** The words of a message without names. */
const withoutNames = (message: string, names: readonly string[]): string =>
  names.reduce((left, name) => left.split(words(name)).join(' '), words(message));

/**
 * Whether an update may have been refused because another profile has the name: it was answered as the update to a
 * name that is taken. If there is none to compare, a name of one character may be taken; longer ones are unique.
 */
function mayBeTaken(refusal: Exchange, evidence: Evidence): boolean {
  const name = text(refusal, 'name');
  if (name === undefined || !ofTakenName.includes(status(refusal) ?? 0)) return false;
  const taken = probesOf(evidence, 'profile-name-is-unique').filter(refused);
  const isLike = (other: Exchange) => {
    const names = [name, text(other, 'name') ?? ''];
    const [one, another] = [refusal, other].map((each) => withoutNames(asText(answerBody(each)?.message), names));
    return status(refusal) === status(other) && one === another;
  };
  return taken.length > 0 ? taken.some(isLike) : [...name].length === textBounds.name.minimum;
}

/** Updates of the field at its bounds, each with an accepted update to another length. */
const lengths =
  (field: keyof typeof textBounds, bounds: readonly number[]) =>
  (ours: readonly Exchange[], _: unknown, evidence: Evidence) => {
    const updates = ours.filter((one) => updatesProfile(one) && text(one, field) !== undefined);
    const length = (one: Exchange) => [...(text(one, field) ?? '')].length;
    return bounds.map((bound) => ({
      value: `a ${field} of ${bound} characters`,
      tries: updates.filter((one) => isAt(one, lengthStep(field, bound))),
      beside: (refusal: Exchange) =>
        mayBeTaken(refusal, evidence) ? undefined : updates.find((one) => accepted(one) && length(one) !== bound),
    }));
  };

const tooLong = (field: string, min: number, max: number) => (exchange: Exchange) => {
  const value = text(exchange, field);
  const length = value === undefined ? min : [...value].length;
  return length < min || length > max ? `a ${field} of ${length} characters` : undefined;
};

const { name, description } = textBounds;

export const lengthsOfTexts = {
  'profile-name-length': bounded(
    'profile-name-length',
    tooLong('name', name.minimum, name.maximum),
    lengths('name', [name.minimum, name.maximum]),
  ),

  'profile-description-length': bounded(
    'profile-description-length',
    tooLong('description', 0, description.maximum),
    lengths('description', [description.maximum]),
  ),
} satisfies Judges;
