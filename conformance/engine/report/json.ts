import type { Report, RuleVerdict } from '../vocabulary.js';
import { headline, standings, statement } from './digest.js';
import { jsonPieces } from './pieces.js';
import schema from './report.schema.json' with { type: 'json' };
import { visible } from './text.js';

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
