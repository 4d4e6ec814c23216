/** Executions that run side by side do not mix. interface: What the service does. */
import type { RuleId } from '../../../generated/rules.js';
import { type Fields, isFields, sent } from '../../evidence/read.js';
import { answeredAt, ending, readings } from '../../evidence/runs.js';
import { equal, sameId } from '../../evidence/values.js';
import type { Finding, Judge, Trace } from '../../vocabulary.js';
import { broken, kept } from '../findings.js';
import { shown } from '../words.js';

interface Own {
  readonly trace: Trace;
  readonly given: Fields;
  readonly from: number;
  readonly to: number;
}

/** The pairs by which executions of the suite are told apart: inputs and metadata as one object. */
const pairs = (of: Fields): Fields => ({
  ...prefixed('inputs', of.inputs),
  ...prefixed('metadata', of.metadata),
});
const prefixed = (name: string, value: unknown) =>
  Object.fromEntries(Object.entries(isFields(value) ? value : {}).map(([key, one]) => [`${name}.${key}`, one]));

export const separate = {
  'executions-are-separate': {
    run({ traces }) {
      const all = traces.flatMap((trace): Own[] => {
        const { start, readings: read } = trace;
        const last = ending(trace)?.exchange ?? read.at(-1);
        if (!start?.mark || start.mark.probe || !last) return [];
        return [{ trace, given: pairs(sent(start) ?? {}), from: start.at, to: answeredAt(last) }];
      });
      return all.flatMap((own) => {
        const beside = all.filter((other) => other !== own && other.from < own.to && own.from < other.to);
        return apart(own, beside) ?? [];
      });
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;

/** What the readings of one execution tell: the mixing, where there is one. */
function apart({ trace, given }: Own, beside: readonly Own[]): Finding | undefined {
  const found = readings(trace.readings).flatMap(({ exchange, execution }) => {
    const seen = pairs(execution);
    return beside.flatMap((other): Finding | [] => {
      const [theirs = exchange] = other.trace.readings;
      const differing = Object.keys(given).filter(
        (key) => key in seen && key in other.given && !equal(given[key], other.given[key]),
      );
      const mixed = differing.find((key) => equal(seen[key], other.given[key]));
      if (mixed !== undefined)
        return broken(
          [exchange, theirs],
          `${mixed} of its own, ${shown(given[mixed])}`,
          `another's: ${shown(seen[mixed])}`,
        );
      if (readings(other.trace.readings).some((one) => sameId(resultId(one.execution), resultId(execution))))
        return broken([exchange, theirs], 'a result of its own', `another's: ${shown(resultId(execution))}`);
      return differing.length > 0 ? kept(exchange) : [];
    });
  });
  return found.find(({ kind }) => kind === 'broken') ?? found[0];
}

const resultId = ({ executionResult }: Fields) => (isFields(executionResult) ? executionResult.id : undefined);
