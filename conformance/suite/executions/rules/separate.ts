/** Executions that run at the same time must not mix. interface: What the service does. */
import { memoize } from '../../../engine/memoize.js';
import { isOfRun, isProbe } from '../../../engine/outcome/mark.js';
import { type Fields, isFields, isStart, refused, requestFields } from '../../../engine/outcome/read.js';
import { endReading, type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { equal, has, jsonText } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { freeOf } from '../view.js';

/** An execution of the suite, from its start to its end. */
interface Span {
  readonly trace: Trace;
  readonly start: Exchange;
  readonly read: readonly Reading[];
  readonly from: number;
  readonly to: number;
}

interface Own extends Span {
  readonly given: Fields;
  /** In lower case. */
  readonly results: ReadonlySet<string>;
}

const spans = (traces: readonly Trace[]): Span[] =>
  traces.flatMap((trace) => {
    const { start } = trace;
    const last = endReading(trace)?.exchange ?? trace.readings.at(-1);
    if (!start || !isOfRun(start) || isProbe(start) || !last) return [];
    return [{ trace, start, read: readings(trace.readings), from: start.at, to: answeredAt(last) }];
  });

/** The executions that ran at the same time. */
const beside = <T extends Span>(own: Span, all: readonly T[]): T[] =>
  all.filter((other) => other.trace !== own.trace && other.from < own.to && own.from < other.to);

/** What tells executions of the suite apart: inputs and metadata, as one object. */
const pairs = memoize(
  (of: Fields): Fields => ({ ...prefixed('inputs', of.inputs), ...prefixed('metadata', of.metadata) }),
);
const prefixed = (name: string, value: unknown) =>
  Object.fromEntries(Object.entries(isFields(value) ? value : {}).map(([key, one]) => [`${name}.${key}`, one]));

const urls = ['liveViewUrl', 'recordingUrl'] as const;

export const separate = {
  /** Judges executions that ran at the same time, and a URL of one. Passes if no other shows it, else fails. */
  'urls-are-separate': {
    run({ traces }) {
      const all = spans(traces);
      return urls.flatMap((field) => {
        const showing = all.flatMap((span) => {
          const last = span.read.findLast(({ execution }) => has(execution, field) && execution[field] !== '');
          return last ? { ...span, exchange: last.exchange, url: last.execution[field] } : [];
        });
        return showing.flatMap((own, place) => {
          const other = beside(own, showing.slice(0, place)).find(({ url }) => equal(url, own.url));
          if (other)
            return violated(
              [own.exchange, other.exchange],
              `a ${field} of its own`,
              `that of another one: ${jsonText(own.url)}`,
            );
          return beside(own, all).length > 0 ? satisfied(own.exchange) : [];
        });
      });
    },
  },

  /**
   * Judges executions that ran at the same time. Passes if each shows its own inputs, metadata and result, violated
   * if one shows those of another.
   */
  'executions-are-separate': {
    run({ traces, exchanges }) {
      const refusals = exchanges.flatMap((one) =>
        isStart(one) && isOfRun(one) && refused(one) ? { exchange: one, given: givenBy(one), from: one.at } : [],
      );
      const all = spans(traces).map((span): Own => {
        const results = new Set(span.read.flatMap(({ execution }) => resultId(execution) ?? []));
        return { ...span, given: givenBy(span.start), results };
      });
      return all.flatMap((own) => {
        const earlier = all.filter((other) => other.from < own.from);
        const others = [
          ...earlier.map(({ trace, given }) => ({ exchange: trace.readings[0], given })),
          ...refusals.filter(({ from }) => from < own.from),
        ];
        return inherited(own, others) ?? apart(own, beside(own, all)) ?? [];
      });
    },
  },
} satisfies Judges;

const givenBy = (start: Exchange): Fields => {
  return pairs(freeOf(requestFields(start)));
};

/** A pair as a path: `inputs.name`, or `inputs["another name"]`. */
const named = (pair: string): string =>
  pair.replace(/\.(.*[\s,].*)$/s, (_, name: string) => `[${JSON.stringify(name)}]`);

interface Earlier {
  readonly exchange: Exchange | undefined;
  readonly given: Fields;
}

/**
 * Finds pairs that an execution was not given, but an earlier start was, accepted or not. It takes two pairs: a service
 * may add one by chance.
 */
function inherited({ read, given }: Own, earlier: readonly Earlier[]): Finding | undefined {
  const last = read.at(-1);
  if (!last) return undefined;
  const strange = Object.entries(pairs(last.execution)).filter(([key]) => !(key in given));
  if (strange.length < 2) return undefined;
  for (const other of earlier) {
    const [first, second] = strange.filter(([key, value]) => key in other.given && equal(value, other.given[key]));
    if (first && second)
      return violated(
        [last.exchange, other.exchange ?? last.exchange],
        `no ${named(first[0])}, which it was not given`,
        `${jsonText(first[1])}, as one before it was given`,
      );
  }
  return undefined;
}

/** Compares the readings of one execution with what others were given. */
function apart({ read, given }: Own, others: readonly Own[]): Finding | undefined {
  const wrong = read.map(({ exchange, execution }) => {
    const of = pairs(execution);
    const strange = Object.keys(given).filter((key) => key in of && !equal(of[key], given[key]));
    return { exchange, of, strange, result: resultId(execution) };
  });
  let first: Finding | undefined;
  for (const other of others) {
    const differs = (key: string) => key in other.given && !equal(given[key], other.given[key]);
    for (const { exchange, of, strange, result } of wrong) {
      const [theirs = exchange] = other.trace.readings;
      const tells = (key: string) => key in of && differs(key);
      const mixed = strange.find((key) => tells(key) && equal(of[key], other.given[key]));
      if (mixed !== undefined)
        return violated(
          [exchange, theirs],
          `${named(mixed)} of its own, ${jsonText(given[mixed])}`,
          `another's: ${jsonText(of[mixed])}`,
        );
      if (result !== undefined && other.results.has(result))
        return violated([exchange, theirs], 'a result of its own', `another's: ${jsonText(result)}`);
      first ??= Object.keys(given).some(tells) ? satisfied(exchange) : undefined;
    }
  }
  return first;
}

const resultId = ({ executionResult }: Fields): string | undefined =>
  isFields(executionResult) && typeof executionResult.id === 'string' ? executionResult.id.toLowerCase() : undefined;
