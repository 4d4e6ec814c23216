import type { Facts } from '../vocabulary.js';

const usualSeconds = 60;

/** How long an answer that may still come is waited for, in milliseconds. States take as long as they take. */
export const graceMs = ({ patienceSeconds = usualSeconds }: Facts['pace']): number => patienceSeconds * 1000;
