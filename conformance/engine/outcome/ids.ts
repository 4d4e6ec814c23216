import { isUuid } from '../../../common/values.js';
import { contract, type OperationId } from '../contract.js';
import { addressOf } from '../http/address.js';
import { memoize } from '../memoize.js';
import type { Exchange } from '../vocabulary.js';

/** Whether a text has the form of an id in the path of an operation, by default of the last. */
export function isIdOf(operation: OperationId, text: unknown, name?: string): boolean {
  const { pathParameters, otherIds } = contract().operations[operation];
  const other = otherIds[name ?? pathParameters.at(-1) ?? ''];
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

/** The first id in the path that has not the form that the operation asks for. */
export function malformedId({ operation, resource, request }: Exchange): string | undefined {
  if (operation === null || resource === null) return undefined;
  const isOne = contract().operations[operation].pathParameters.length < 2;
  const others = (isOne ? undefined : addressOf(request.method, request.url)?.otherPathIds) ?? {};
  const other = Object.entries(others).find(([name, id]) => !isIdOf(operation, id, name));
  return other?.[1] ?? (isIdOf(operation, resource) ? undefined : resource);
}

export const hasMalformedId = (exchange: Exchange): boolean => malformedId(exchange) !== undefined;
