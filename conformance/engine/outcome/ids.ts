import { contract, type OperationId } from '../contract.js';
import { memoize } from '../memoize.js';
import { isUuid } from '../rule/values.js';
import type { Exchange } from '../vocabulary.js';

/** Whether a text has the form of the last id in the path of an operation. */
export function isIdOf(operation: OperationId, text: unknown): boolean {
  const { pathParameters, otherIds } = contract().operations[operation];
  const other = otherIds[pathParameters.at(-1) ?? ''];
  return other ? typeof text === 'string' && new RegExp(other.pattern, 'u').test(text) : isUuid(text);
}

/** Words, and what is made of them. */
const words = ['word', 'some-words', 'some words', 'SOME_WORDS', 'word2'];

/** The forms of ids in paths that are no UUIDs. One that words have too tells nothing. */
const otherForms = memoize((operations: ReturnType<typeof contract>['operations']) =>
  Object.values(operations)
    .flatMap(({ otherIds }) => Object.values(otherIds))
    .map(({ pattern }) => new RegExp(pattern, 'u'))
    .filter((form) => !words.some((word) => form.test(word))),
);

/** Whether a text can only be an id, by its form. */
export const isId = (text: unknown): text is string =>
  isUuid(text) || (typeof text === 'string' && otherForms(contract().operations).some((form) => form.test(text)));

/** Whether the id in the path has not the form that the operation asks for. */
export const hasMalformedId = ({ operation, resource }: Exchange): boolean =>
  operation !== null && resource !== null && !isIdOf(operation, resource);
