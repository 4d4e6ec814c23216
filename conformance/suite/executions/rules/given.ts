/** interface: Execution, inputs and metadata; Execution options. What a start was given, as its execution shows it. */

import { isOfRun } from '../../../engine/outcome/mark.js';
import {
  accepted,
  type Fields,
  isFields,
  isStart,
  objectIn,
  requestBody,
  requestFields,
} from '../../../engine/outcome/read.js';
import { readings } from '../../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../../engine/outcome/when.js';
import { howAltered, sameButMasked, step } from '../../../engine/rule/altered.js';
import { combined, violated } from '../../../engine/rule/findings.js';
import { byKey, equal, has, jsonText, shorten, valueOfName } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { agreement, presence, type RecordedValue } from '../recorded.js';
import { freeFields, freeOf, hasBegun } from '../view.js';

/** The softTimeoutMins that a start asks for or an execution shows. */
const softTimeout = (fields: Fields | undefined): number | undefined => {
  const { softTimeoutMins } = objectIn(fields, 'executionOptions');
  return typeof softTimeoutMins === 'number' ? softTimeoutMins : undefined;
};

const options: RecordedValue = {
  name: 'softTimeoutMins',
  field: 'executionOptions',
  given: softTimeout,
  of: softTimeout,
};

const optionsAreThere = presence(options, equal);

const showsOptions = ({ readings: all }: Trace): boolean =>
  readings(all).some(({ execution }) => isFields(execution.executionOptions));

/** `isAll`: pairs that were not given must not be shown. */
const pairs = (name: keyof typeof freeFields, given: RecordedValue['given'], isAll = false): RecordedValue => ({
  name,
  field: freeFields[name],
  given,
  of: (execution) => execution[name],
  differing(back, value) {
    const [other] = othersIn(back, value);
    if (isAll && other && pairsAreThere(back, value))
      return {
        expected: `no ${name} that its start did not give`,
        actual: `${shorten(other[0], 40)}: ${jsonText(other[1])}`,
      };
    const wrong = pairsOf(value).find(([key, one]) => isFields(back) && !sameButMasked(valueOfName(back, key), one));
    if (!wrong || !isFields(back)) return undefined;
    const { expected, actual } = howAltered(step(name, wrong[0]), wrong[1], valueOfName(back, wrong[0]));
    return { expected: `${expected}, as given at the start`, actual };
  },
});

const filled = (value: unknown) => (isFields(value) && Object.keys(value).length > 0 ? value : undefined);
const inputs = pairs('inputs', (body) => filled(freeOf(body).inputs));
const metadata = pairs('metadata', (body) => filled(freeOf(body).metadata));
/** All metadata of a start, also if there is none. A start without a readable body is not judged. */
const attached = pairs(
  'metadata',
  (body) => (Object.keys(body).length > 0 ? (freeOf(body).metadata ?? {}) : undefined),
  true,
);

const pairsOf = (value: unknown) => Object.entries(isFields(value) ? value : {});

/** Whether those of the given pairs that are shown have the given values. */
const pairsAgree = (pairs: unknown, value: unknown): boolean | undefined => {
  if (!isFields(pairs)) return false;
  const both = pairsOf(value).filter(([name]) => valueOfName(pairs, name) !== undefined);
  return both.length > 0 ? both.every(([name, one]) => sameButMasked(valueOfName(pairs, name), one)) : undefined;
};

const pairsAreThere = (pairs: unknown, value: unknown): boolean =>
  isFields(pairs) && pairsOf(value).every(([name, one]) => one === null || valueOfName(pairs, name) !== undefined);

/** Pairs that were not given. */
const othersIn = (pairs: unknown, value: unknown) =>
  pairsOf(pairs).filter(([name, one]) => one !== null && valueOfName(isFields(value) ? value : {}, name) === undefined);

export const givenOptions = {
  /**
   * Judges a start with options, and its execution. Passes if it shows them, fails if it shows others.
   * executionOptions are optional: a service that never shows them is not judged.
   */
  'options-are-recorded': combined(
    { trace: (trace, facts) => (showsOptions(trace) ? optionsAreThere.trace?.(trace, facts) : undefined) },
    {
      run: ({ traces }, facts) =>
        traces.some(showsOptions)
          ? traces
              .filter((trace) => !showsOptions(trace))
              .flatMap((trace) => optionsAreThere.trace?.(trace, facts) ?? [])
          : undefined,
    },
    { run: inheritedOptions },
  ),

  'inputs-are-recorded': agreement(inputs, pairsAgree),

  'inputs-are-shown': presence(inputs, pairsAreThere),

  'metadata-is-recorded': agreement(
    attached,
    pairsAgree,
    (pairs, value) => pairsAreThere(pairs, value) && othersIn(pairs, value).length === 0,
  ),

  'metadata-is-shown': presence(metadata, isFields, { inQueue: true }),
} satisfies Judges;

const given = (start: Exchange) => softTimeout(requestBody(start));

const asksForNone = (start: Exchange): boolean => {
  const { executionOptions } = requestFields(start);
  return executionOptions === undefined || (isFields(executionOptions) && !has(executionOptions, 'softTimeoutMins'));
};

/** With fewer, a default of some kind of start may look the same. */
const enough = 3;

/** An execution whose start asked for no softTimeoutMins, and the value that it shows. */
interface Silent {
  readonly start: Exchange;
  readonly last: Exchange;
  readonly value: number | undefined;
}

/** Fails if starts without a soft timeout show that of an earlier start, and no default explains it. */
function inheritedOptions({ traces, exchanges }: Evidence): Finding[] {
  const silent = traces.flatMap(({ start, readings: all }): Silent | [] => {
    const last = readings(all).at(-1);
    return start && isOfRun(start) && asksForNone(start) && last && hasBegun(last.status)
      ? { start, last: last.exchange, value: softTimeout(last.execution) }
      : [];
  });
  const givers = exchanges.filter(
    (one) => isStart(one) && accepted(one) && requestFields(one).executionOptions !== undefined,
  );
  return [...byKey(silent, ({ start }) => start.resource)].flatMap(([workflow, own]) =>
    inherited(
      own,
      givers.filter((start) => start.resource === workflow),
    ),
  );
}

function inherited(silent: readonly Silent[], givers: readonly Exchange[]): Finding | [] {
  const one = silent.find(({ value }) => value !== undefined);
  const giver = one && givers.find((other) => given(other) === one.value);
  // Options without a soft timeout may have been kept as well, or ignored: try both.
  const follow = [givers, givers.filter((start) => given(start) !== undefined)].some((all) => {
    const those = silent.filter(({ start }) => !all.includes(start));
    const before = those.map(({ start }) => lastGiven(start, all));
    return those.every(({ value }, place) => before[place]?.includes(value)) && areOther(those, before);
  });
  return one && giver && follow && silent.length >= enough
    ? violated(
        [one.last, giver],
        'no softTimeoutMins, since none was given',
        `${jsonText(one.value)}, as one before it was given`,
      )
    : [];
}

/** Whether no default explains the values: they differ, or no one value would fit them all. */
function areOther(silent: readonly Silent[], before: readonly (readonly unknown[])[]): boolean {
  const values = new Set(silent.flatMap(({ value }) => value ?? []));
  return values.size > 1 || before.some((some) => before.some((others) => !others.some((one) => some.includes(one))));
}

/** The values that may have been the latest when a start was made. */
function lastGiven(start: Exchange, givers: readonly Exchange[]): (number | undefined)[] {
  const earlier = givers.filter((one) => one.at < answeredAt(start));
  const last = earlier.filter((one) => !earlier.some((other) => precedes(one, other) && precedes(other, start)));
  return [...last.map(given), ...(earlier.some((one) => precedes(one, start)) ? [] : [undefined])];
}
