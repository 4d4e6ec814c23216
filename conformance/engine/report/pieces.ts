import { wholeCharacters } from './text.js';

/**
 * What `JSON.stringify(value, null, 2)` writes, as every tool reads it, in pieces: what stands so many levels deep is one
 * each. A long run has more to tell than fits into one string. What can be iterated over is a list.
 */
export function* jsonPieces(value: unknown, deepest: number, depth = 0): Generator<string> {
  const indent = '  '.repeat(depth);
  if (depth === deepest || typeof value !== 'object' || value === null) {
    // No text within JSON holds a line break as such.
    yield wholeCharacters(JSON.stringify(value, null, 2)).replaceAll('\n', `\n${indent}`);
    return;
  }
  const isList = isIterable(value);
  const [begin, end] = isList ? '[]' : '{}';
  let before = begin;
  for (const item of isList ? value : Object.entries(value)) {
    const [name, inner] = isList ? [undefined, item] : (item as [string, unknown]);
    if (!isList && inner === undefined) continue;
    yield `${before}\n${indent}  ${name === undefined ? '' : `${wholeCharacters(JSON.stringify(name))}: `}`;
    yield* jsonPieces(inner, deepest, depth + 1);
    before = ',';
  }
  yield before === begin ? `${begin}${end}` : `\n${indent}${end}`;
}

const isIterable = (value: object): value is Iterable<unknown> => Symbol.iterator in value;

/** A list that is made while it is read: not all of it is there at once. */
export const lazily = <In, Out>(items: readonly In[], make: (item: In) => Out): Iterable<Out> => ({
  *[Symbol.iterator]() {
    for (const item of items) yield make(item);
  },
});
