import { isUuid } from '../../../common/values.js';
import { contract, type OperationId } from '../contract.js';
import { memoize } from '../memoize.js';
import type { Exchange } from '../vocabulary.js';

/** Whether a text has the form of the id in the path of an operation. */
export function isIdOf(operation: OperationId, text: unknown): boolean {
  const [other] = Object.values(contract().operations[operation].otherIds);
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

/** The id in the path, if it has not the form that the operation asks for. */
export const malformedId = ({ operation, resource }: Exchange): string | undefined =>
  operation === null || resource === null || isIdOf(operation, resource) ? undefined : resource;

export const hasMalformedId = (exchange: Exchange): boolean => malformedId(exchange) !== undefined;
