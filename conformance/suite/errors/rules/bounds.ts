/** Limits that are judged from both sides: what is outside is refused, the bound itself is taken. interface: Limits */
import type { RuleId } from '../../../../generated/rules.js';
import { isMeantToPass } from '../../../engine/outcome/expected.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import { accepted, isFields, sent } from '../../../engine/outcome/read.js';
import { broken, kept, unclear } from '../../../engine/rule/findings.js';
import { refusal } from '../../../engine/rule/probes.js';
import { shown } from '../../../engine/rule/words.js';
import type { Evidence, Exchange, Facts, Finding, Judge } from '../../../engine/vocabulary.js';
import { lengthStep, textBounds } from '../../profiles/text-bounds.js';
import { areFilledElsewhere, asksOnlyAccepted } from '../../starts/asked.js';
import { isSync, longestWaitSeconds } from '../../sync/view.js';

/** A value that must be taken. */
interface Bound {
  readonly value: string;
  /** The requests that sent it. */
  readonly tries: readonly Exchange[];
  /** A request that was accepted and differs from a refused one in nothing that matters beside the value. */
  beside(refused: Exchange): Exchange | undefined;
}

function taken({ value, tries, beside }: Bound): Finding[] {
  const done = tries.find(accepted);
  if (done) return [kept(done)];
  for (const refused of tries.filter((one) => outcomeOf(one).kind === 'refused')) {
    const other = beside(refused);
    if (other) return [broken([refused, other], `${value} to be taken`)];
  }
  return tries
    .slice(0, 1)
    .map((one) =>
      unclear(one, outcomeOf(one).why ?? `${value} was refused, and nothing tells whether for its own sake.`),
    );
}

/**
 * Seen: values on both sides of a limit. Kept where what is outside is refused and the bound itself taken; broken where it
 * is otherwise for the sake of that value.
 */
const bounded = (
  rule: RuleId,
  outside: (exchange: Exchange) => string | undefined,
  bounds: (ours: readonly Exchange[], facts: Facts) => readonly Bound[],
): Judge => {
  const refuses = refusal(rule, outside);
  return {
    ...refuses,
    run: (evidence: Evidence, facts) => [
      ...[refuses.run?.(evidence, facts) ?? []].flat(),
      ...bounds(evidence.exchanges.filter(isMeantToPass), facts).flatMap(taken),
    ],
  };
};

const text = (exchange: Exchange, field: string): string | undefined => {
  const value = sent(exchange)?.[field];
  return typeof value === 'string' ? value : undefined;
};

/** Updates of the field at the bounds, each beside an accepted update of the same field at another length. */
const lengths = (field: keyof typeof textBounds, bounds: readonly number[]) => (ours: readonly Exchange[]) => {
  const updates = ours.filter((one) => one.operation === 'updateProfile' && text(one, field) !== undefined);
  const length = (one: Exchange) => [...(text(one, field) ?? '')].length;
  return bounds.map((bound) => ({
    value: `a ${field} of ${bound} characters`,
    tries: updates.filter(({ mark }) => mark?.step === lengthStep(field, bound)),
    beside: () => updates.find((one) => accepted(one) && length(one) !== bound),
  }));
};

const tooLong = (field: string, min: number, max: number) => (exchange: Exchange) => {
  const value = text(exchange, field);
  const length = value === undefined ? min : [...value].length;
  return length < min || length > max ? `a ${field} of ${length} characters` : undefined;
};

/** What a start asks for, apart from how long to wait and what tells it from others. */
const wish = (exchange: Exchange): string => {
  const { timeoutSeconds, inputs, metadata, ...rest } = sent(exchange) ?? {};
  return JSON.stringify([exchange.resource, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);
};

const seconds = (exchange: Exchange) => sent(exchange)?.timeoutSeconds;

const isBetween = (value: unknown) =>
  Number.isInteger(value) && Number(value) > 1 && Number(value) < longestWaitSeconds;

/**
 * Its bounds, and what was asked for between, where that was refused. The wait is at fault where the same start is accepted
 * without it, and other waits are.
 */
function waits(ours: readonly Exchange[]): Bound[] {
  const bound = (value: number): Bound => {
    const others = ours.filter((one) => accepted(one) && seconds(one) !== value);
    return {
      value: `timeoutSeconds ${value}`,
      tries: ours.filter((one) => isSync(one) && seconds(one) === value),
      beside: (refused) =>
        others.some(isSync) && areFilledElsewhere(refused, others)
          ? others.find((one) => wish(one) === wish(refused))
          : undefined,
    };
  };
  const between = ours.flatMap((one) => (isSync(one) && isBetween(seconds(one)) ? [Number(seconds(one))] : []));
  const isRefused = (value: Bound) => taken(value).some(({ kind }) => kind === 'broken');
  return [bound(1), bound(longestWaitSeconds), ...[...new Set(between)].map(bound).filter(isRefused)];
}

const softTimeout = (exchange: Exchange): unknown => {
  const options = sent(exchange)?.executionOptions;
  return isFields(options) ? options.softTimeoutMins : undefined;
};

/** A soft timeout, at fault where a start asks for nothing else that may be refused. */
const softTimeoutOf = (minutes: number, ours: readonly Exchange[]): Bound => ({
  value: `softTimeoutMins ${minutes}`,
  tries: ours.filter((one) => softTimeout(one) === minutes),
  beside: (refused) =>
    asksOnlyAccepted(refused, ['executionOptions'], ours)
      ? ours.find((one) => accepted(one) && one.resource === refused.resource)
      : undefined,
});

const { name, description } = textBounds;

export const bounds = {
  'profile-name-length': bounded(
    'profile-name-length',
    tooLong('name', name.minimum, name.maximum),
    lengths('name', [name.minimum, name.maximum]),
  ),
  'profile-description-length': bounded(
    'profile-description-length',
    tooLong('description', 0, description.maximum),
    lengths('description', [description.maximum]),
  ),
  'sync-timeout-range': bounded(
    'sync-timeout-range',
    (exchange) => {
      const value = seconds(exchange);
      return typeof value === 'number' && (value < 1 || value > longestWaitSeconds)
        ? `timeoutSeconds ${shown(value)}`
        : undefined;
    },
    waits,
  ),
  'soft-timeout-minimum': bounded(
    'soft-timeout-minimum',
    (exchange) => {
      const minutes = softTimeout(exchange);
      return typeof minutes === 'number' && minutes < 1 ? `softTimeoutMins ${minutes}` : undefined;
    },
    // An agent whose hard timeout is a minute takes none at all.
    (ours, { agentHardTimeoutMins: hard }) => (hard === undefined ? [] : [softTimeoutOf(1, ours)]),
  ),
  'soft-timeout-below-hard-timeout': bounded(
    'soft-timeout-below-hard-timeout',
    () => undefined,
    (ours, { agentHardTimeoutMins: hard }) => (hard === undefined ? [] : [softTimeoutOf(hard - 1, ours)]),
  ),
} satisfies Partial<Record<RuleId, Judge>>;
