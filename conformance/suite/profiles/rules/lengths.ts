/** interface: Limits, name and description. */

import { accepted, requestBody } from '../../../engine/outcome/read.js';
import { bounded } from '../../../engine/rule/probes.js';
import type { Exchange, Judges } from '../../../engine/vocabulary.js';
import { lengthStep, textBounds } from '../text-bounds.js';

const text = (exchange: Exchange, field: string): string | undefined => {
  const value = requestBody(exchange)?.[field];
  return typeof value === 'string' ? value : undefined;
};

/** Updates of the field at its bounds, each with an accepted update to another length. */
const lengths = (field: keyof typeof textBounds, bounds: readonly number[]) => (ours: readonly Exchange[]) => {
  const updates = ours.filter((one) => one.operation === 'updateProfile' && text(one, field) !== undefined);
  const length = (one: Exchange) => [...(text(one, field) ?? '')].length;
  return bounds.map((bound) => ({
    value: `a ${field} of ${bound} characters`,
    tries: updates.filter(({ mark }) => mark?.step === lengthStep(field, bound)),
    beside: () => updates.find((one) => accepted(one) && length(one) !== bound),
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
