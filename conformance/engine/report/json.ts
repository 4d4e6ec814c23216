import type { Report, RuleVerdict } from '../vocabulary.js';
import { headline, standings, statement } from './digest.js';
import schema from './report.schema.json' with { type: 'json' };
import { visible, wholeCharacters } from './text.js';

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

/** What of a schema says in which order things stand. */
interface Order {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Order>>;
  readonly items?: Order;
}

const definitions: Readonly<Record<string, Order>> = schema.$defs;

/**
 * The JSON report, in pieces. Its names, and the order they stand in, are part of the command's interface: they are those of
 * its schema, and what that does not name is left out.
 */
export function* json(report: Report): Generator<string> {
  const rules = report.rules.map(withWords);
  const callers = report.callers.map(withWords);
  const published = { ...report, headline: visible(headline(report, report.options).line), rules, callers };
  yield* jsonPieces(inOrder(published, schema), 2);
  yield '\n';
}

/** With what the register says of a rule, and by what right. */
function withWords(rule: RuleVerdict<string>) {
  const found = statement(rule.id);
  return found ? { ...rule, says: found.says, source: found.source, statements: standings(found) } : rule;
}

function inOrder(value: unknown, { $ref, properties, items }: Order): unknown {
  if ($ref !== undefined) return inOrder(value, definitions[$ref.replace('#/$defs/', '')] ?? {});
  if (Array.isArray(value)) return items ? value.map((item) => inOrder(item, items)) : value;
  if (!properties || typeof value !== 'object' || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, order]) =>
      fields[name] === undefined ? [] : [[name, inOrder(fields[name], order)]],
    ),
  );
}
