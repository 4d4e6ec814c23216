import { operations } from '../../../generated/operations.js';

/** How many characters these settings may have. interface: Limits. */
export const textBounds = operations.updateProfile.bounds;

/** The step that asks for a text at one of its bounds, or just beyond: its judge looks for it. */
export const lengthStep = (field: keyof typeof textBounds, length: number): string => `${field}-${length}`;
