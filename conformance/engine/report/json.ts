/** The JSON report, and how long JSON is written in pieces. */
import type { Report } from '../vocabulary/report.js';
import type { RuleVerdict } from '../vocabulary.js';
import { headline, standings, statement } from './digest.js';
import schema from './report.schema.json' with { type: 'json' };
import { visible, wholeCharacters } from './text.js';

/**
 * Writes what `JSON.stringify(value, null, 2)` would, in pieces, one for each value at depth `deepest`: a long run does
 * not fit into one string. Iterables are written as lists.
 */
export function* jsonPieces(value: unknown, deepest: number, depth = 0): Generator<string> {
  const indent = '  '.repeat(depth);
  if (depth === deepest || typeof value !== 'object' || value === null) {
    // Strings in JSON contain no literal line breaks.
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

/** A list whose items are made while it is read. */
export const lazily = <In, Out>(items: readonly In[], make: (item: In) => Out): Iterable<Out> => ({
  *[Symbol.iterator]() {
    for (const item of items) yield make(item);
  },
});

/** The parts of a schema that define the order of fields. */
interface Order {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Order>>;
  readonly items?: Order;
}

const definitions: Readonly<Record<string, Order>> = schema.$defs;

/**
 * The JSON report, in pieces. The names and order of its fields are part of the public interface: they are those of its
 * schema, and other fields are left out.
 */
export function* json(report: Report): Generator<string> {
  const rules = report.rules.map(withWords);
  const callers = report.callers.map(withWords);
  const published = { ...report, headline: visible(headline(report, report.options).line), rules, callers };
  yield* jsonPieces(inOrder(published, schema), 2);
  yield '\n';
}

/** Adds the text of a rule and its statements. */
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
