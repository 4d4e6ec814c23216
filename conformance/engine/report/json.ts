/** The JSON report, and how long JSON is written in pieces. */

import { UserError } from '../../../common/user-error.js';
import { report as validate } from '../../../generated/reports.js';
import { contract } from '../contract.js';
import { accepted, isFields } from '../outcome/read.js';
import type { Conclusion } from '../rule/verdicts.js';
import { causesOf, summarize } from '../rule/violations.js';
import { suite } from '../suite.js';
import type { Latency, Report, ReportedExchange, ReportedOptions, RuleVerdict, Run } from '../vocabulary/report.js';
import type { Exchange, Facts } from '../vocabulary.js';
import { curl } from './curl.js';
import { headline, standings, statement } from './digest.js';
import schema from './report.schema.json' with { type: 'json' };
import { visible, wholeCharacters } from './text.js';

// Reads JSON reports.

/** The version of reports that is written and read. */
const reportVersion = 3;

/** A file given as a report is none. */
export class ReportError extends UserError {
  override name = 'ReportError';
}

const wayOut = 'one is written by npx workflow-execution-contract check --report json=FILE';

/** Reads a JSON report. Throws a ReportError with the file and what is wrong with it. */
export function readReport(text: string, file: string): Report {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ReportError(`${file}: not JSON; ${wayOut}.`);
  }
  if (!isFields(value) || !('verdict' in value)) throw new ReportError(`${file}: not a report; ${wayOut}.`);
  if (value.version !== reportVersion)
    throw new ReportError(
      `${file} is a report of version ${JSON.stringify(value.version)}, and this command reads version ${reportVersion}; ${wayOut}.`,
    );
  const fault = faultOf(value);
  if (fault) throw new ReportError(`${file}: not a report: ${fault}; ${wayOut}.`);
  return value as unknown as Report;
}

/** What is wrong with a report, without quoting its values. */
function faultOf(value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || 'it'} ${error?.message}`;
}

// Makes the report of a run.

/** The latencies of accepted requests. Refusals are faster, and would distort them. */
export function latenciesOf(exchanges: readonly Exchange[]): NonNullable<Report['latencies']> {
  const answered = exchanges.filter((one) => !one.untimed && accepted(one));
  return Object.fromEntries(
    contract().operationIds.flatMap((id) => {
      const took = answered.flatMap(({ operation, durationMs }) => (operation === id ? [durationMs] : []));
      return took.length > 0 ? [[id, latency(took.sort((a, b) => a - b))]] : [];
    }),
  );
}

function latency(sorted: readonly number[]): Latency {
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { count: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

/** What is said of a run alone, or of a recording alone. All else follows from the verdicts and the exchanges. */
type Circumstances = Omit<
  Report,
  'version' | 'suite' | 'verdict' | 'reason' | 'summary' | 'rules' | 'causes' | 'stale' | 'sincePins' | 'exchanges'
>;

/** The report with these verdicts; the rules, their causes and the exchanges are the same in that of any origin. */
export function reportOf(
  { verdict, reason, rules, stale, remarks, sincePins }: Conclusion,
  exchanges: readonly Exchange[],
  circumstances: Circumstances,
): Report {
  return {
    version: reportVersion,
    suite: { version: suite().version, contract: contract().version },
    ...circumstances,
    verdict,
    reason,
    summary: summarize(rules),
    rules,
    causes: causesOf(rules, exchanges),
    ...(stale && { stale }),
    ...(sincePins && { sincePins }),
    remarks: [...remarks, ...circumstances.remarks],
    exchanges: exchanges.map(reported),
  };
}

/** The report of a run. `options`: the options of the run, for later readers. */
export function assemble(
  { evidence, preflight, smaller, again, stopped, ...parts }: Run,
  conclusion: Conclusion,
  facts: Facts,
  options: ReportedOptions = {},
): Report {
  const { baseUrl, allow, stateful } = facts;
  return reportOf(conclusion, evidence.exchanges, {
    ...parts,
    options,
    target: { baseUrl, allow, stateful, ...(facts.smaller && { smaller: facts.smaller }) },
    latencies: latenciesOf(evidence.exchanges),
    callers: [],
    foreign: 0,
  });
}

/** An exchange as a report shows it. In recordings, scenario and step are empty. */
export function reported({ mark, ...exchange }: Exchange): ReportedExchange {
  return {
    ...exchange,
    scenario: mark?.scenario ?? '',
    step: mark?.step ?? '',
    curl: curl({ ...exchange, ...(mark && { mark }) }),
  };
}

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
