import type { UsedDifference } from './operations.js';

/** The parts of rules.yaml and statements.yaml that are read. An older file may lack lists or fields. */
export interface Register {
  readonly rules?: readonly Demand[];
  readonly callers?: readonly Demand[];
  readonly gaps?: readonly Entry[];
  readonly statements?: readonly Statement[];
}

interface Entry {
  readonly id: string;
  readonly [field: string]: unknown;
}
export interface Demand extends Entry {
  readonly level?: 'MUST' | 'SHOULD';
  readonly on?: readonly string[] | 'all';
  readonly statements?: readonly string[];
  readonly says?: string;
}
export interface Statement extends Entry {
  readonly standing?: 'stated' | 'implied' | 'open';
  readonly by?: 'rule' | 'caller' | 'contract' | 'none';
  readonly says?: string;
  readonly contract?: readonly string[];
}

type Breaks = UsedDifference['breaks'];

/**
 * The differences in rules, gaps and statements. What one side must keep, the other side relies on. `further`: the operations
 * that are new, of which nothing was relied on.
 */
export function* registerDifferences(
  before: Register,
  after: Register,
  further: readonly string[] = [],
): Generator<UsedDifference> {
  yield* ofDemands('rules', before.rules, after.rules, 'services', further);
  yield* ofDemands('callers', before.callers, after.callers, 'callers', further);
  for (const [id, old, now] of pairs(before.gaps, after.gaps)) {
    const at = `rules.yaml#gaps.${id}`;
    if (!now) yield difference(at, `The gap is closed. It asked: ${old?.asks}`);
    else if (!old) yield difference(at, `A new gap: ${now.asks}`);
    else yield* ofFields(at, old, now, []);
  }
  for (const [id, old, now] of pairs(before.statements, after.statements))
    yield* ofStatement(`statements.yaml#${id}`, old, now);
}

function* ofDemands(
  list: 'rules' | 'callers',
  before: readonly Demand[] | undefined,
  after: readonly Demand[] | undefined,
  bound: 'services' | 'callers',
  further: readonly string[],
): Generator<UsedDifference> {
  const counting = other(bound);
  for (const [id, old, now] of pairs(before, after)) {
    const at = `rules.yaml#${list}.${id}`;
    const [was, is] = [old?.level === 'MUST', now?.level === 'MUST'];
    if (!now) yield difference(at, `The ${old?.level} is gone: ${old?.says}`, was ? counting : undefined);
    else if (!old) yield difference(at, `A new ${now.level}: ${now.says}`, is ? bound : undefined);
    else {
      if (was !== is)
        yield difference(at, `It was a ${old.level} and is a ${now.level}: ${now.says}`, is ? bound : counting);
      const lost = without(old.on, now.on);
      const come = without(now.on, old.on);
      if (lost.length > 0)
        yield difference(at, `The ${now.level} is no longer on ${lost.join(', ')}.`, was ? counting : undefined);
      const breaks = is && come.some((id) => !further.includes(id)) ? bound : undefined;
      if (come.length > 0) yield difference(at, `The ${now.level} is on ${come.join(', ')} now.`, breaks);
      yield* ofFields(at, old, now, ['level', 'on']);
    }
  }
}

function* ofStatement(at: string, old: Statement | undefined, now: Statement | undefined): Generator<UsedDifference> {
  const bound = (now ?? old)?.by === 'caller' ? 'callers' : 'services';
  const [was, is] = [old?.standing === 'stated', now?.standing === 'stated'];
  const breaks = was === is ? undefined : is ? bound : other(bound);
  if (!now) yield difference(at, `It is ${old?.standing} no more: ${old?.says}`, breaks);
  else if (!old) yield difference(at, `It is ${now.standing} now: ${now.says}`, breaks);
  else {
    if (old.standing !== now.standing)
      yield difference(at, `It was ${old.standing} and is ${now.standing}: ${now.says}`, breaks);
    yield* ofFields(at, old, now, ['standing']);
  }
}

function* ofFields(at: string, old: Entry, now: Entry, without: readonly string[]): Generator<UsedDifference> {
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [before, after] = [old[field], now[field]].map((value) => (value === undefined ? 'nothing' : text(value)));
    if (!without.includes(field) && before !== after) yield difference(at, `${field}: ${before} → ${after}`);
  }
}

/** Pairs the entries of two lists by id. */
function pairs<E extends Entry>(
  before: readonly E[] = [],
  after: readonly E[] = [],
): [string, E | undefined, E | undefined][] {
  const ids = new Set([...before, ...after].map(({ id }) => id));
  const find = (list: readonly E[], id: string) => list.find((entry) => entry.id === id);
  return [...ids].map((id) => [id, find(before, id), find(after, id)]);
}

/** The operations that one `on` has and the other lacks. */
function without(on: Demand['on'] = [], others: Demand['on'] = []): readonly string[] {
  if (others === 'all' || on === others) return [];
  return on === 'all' ? ['all other operations'] : on.filter((operation) => !others.includes(operation));
}

const other = (bound: 'services' | 'callers') => (bound === 'services' ? 'callers' : 'services');
const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const difference = (at: string, says: string, breaks?: Breaks): UsedDifference => ({
  at,
  says,
  breaks,
  use: undefined,
});
