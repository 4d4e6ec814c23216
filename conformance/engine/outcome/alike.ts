import { asText } from '../rule/values.js';
import type { Exchange } from '../vocabulary.js';
import { answer, status } from './read.js';

/** Whether two answers say the same, ids and numbers aside. */
export const saysTheSame = (a: Exchange, b: Exchange): boolean =>
  status(a) === status(b) && withoutIds(answer(a)?.message) === withoutIds(answer(b)?.message);

const withoutIds = (text: unknown): string =>
  asText(text).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d+/gi, '');
