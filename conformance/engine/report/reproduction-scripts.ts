/** Adds to violations the scripts that reproduce them. */
import { contract } from '../contract.js';
import { isId } from '../outcome/ids.js';
import { accepted, answerBody, isCopyRequest, isStartRequest, requestBody, traitsOf } from '../outcome/read.js';
import { byKey } from '../rule/items-by-key.js';
import type { Exchange, RuleVerdict, Violation } from '../vocabulary.js';
import { curlScript, longestPauseMs, stateIn } from './curl-script.js';
import { visible } from './text.js';

/** A longer script would be no help. */
const mostRequests = 20;

/** Adds a script to each violation that takes more than one request to reproduce. */
export function withScripts<Id extends string>(
  rules: readonly RuleVerdict<Id>[],
  exchanges: readonly Exchange[],
): RuleVerdict<Id>[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const makers = makersOf(exchanges);
  const ends = endsOf(exchanges);
  const bySequence = byKey(exchanges, ({ mark }) => mark?.sequence);
  return rules.map((rule) => {
    if (rule.violations.length === 0) return rule;
    return {
      ...rule,
      violations: rule.violations.map((violation): Violation => {
        const sequence = sequenceOf(violation, byId, makers, ends, bySequence);
        if (sequence.length < 2 || sequence.length > mostRequests) return violation;
        const { required, seen } = violation;
        const heading = [`${rule.level} ${rule.id}`, `required: ${required}`, `seen: ${seen}`].map(visible);
        return { ...violation, again: curlScript(sequence, violation, heading) };
      }),
    };
  });
}

/** The accepted starts and duplications, by the id of what they made. */
function makersOf(exchanges: readonly Exchange[]): ReadonlyMap<string, Exchange> {
  const makers = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const { key } = traitsOf(exchange) ?? {};
    if (!(isStartRequest(exchange) || isCopyRequest(exchange)) || !key || !accepted(exchange)) continue;
    const id = answerBody(exchange)?.[key];
    if (typeof id === 'string' && !makers.has(id.toLowerCase())) makers.set(id.toLowerCase(), exchange);
  }
  return makers;
}

/** When each thing was first seen to have ended, by its id. */
function endsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const exchange of exchanges) {
    const { key } = traitsOf(exchange) ?? {};
    const body = answerBody(exchange);
    const id = isStartRequest(exchange) && key ? body?.[key] : exchange.resource;
    const state = stateIn(exchange.response?.body);
    if (typeof id !== 'string' || state === undefined || !contract().isTerminal(state)) continue;
    if (!ends.has(id.toLowerCase())) ends.set(id.toLowerCase(), exchange.at + exchange.durationMs);
  }
  return ends;
}

/** The ids in the body of a request. */
const idsSent = ({ request: { body } }: Exchange): readonly string[] =>
  body.kind === 'json'
    ? JSON.stringify(body.value)
        .split('"')
        .filter(isId)
        .map((id) => id.toLowerCase())
    : [];

/**
 * The exchanges that show a violation, those that made the things in them, and those that a start stood beside: what its
 * journey had started with the same things, and had not ended. In the order of sending.
 */
function sequenceOf(
  { exchanges, signature }: Violation,
  byId: ReadonlyMap<number, Exchange>,
  makers: ReadonlyMap<string, Exchange>,
  ends: ReadonlyMap<string, number>,
  bySequence: ReadonlyMap<number | undefined, readonly Exchange[]>,
): Exchange[] {
  const all = new Set<Exchange>();
  const add = (exchange: Exchange | undefined): void => {
    if (!exchange || all.has(exchange)) return;
    all.add(exchange);
    if (isStartRequest(exchange)) for (const one of beside(exchange)) add(one);
    const maker = makers.get(exchange.resource?.toLowerCase() ?? '');
    if (!maker || maker.id >= exchange.id) return;
    add(maker);
    // If it waited for a state, the last reading before it is repeated too.
    if (exchange.at - maker.at > longestPauseMs) add(lastLook(exchange));
  };
  const beside = (start: Exchange): Exchange[] => {
    const ids = idsSent(start);
    return [...makers].flatMap(([id, other]) =>
      isStartRequest(other) &&
      other.id < start.id &&
      other.mark?.journey === start.mark?.journey &&
      !((ends.get(id) ?? Number.POSITIVE_INFINITY) < start.at) &&
      idsSent(other).some((one) => ids.includes(one))
        ? other
        : [],
    );
  };
  const lastLook = ({ id, resource, operation }: Exchange): Exchange | undefined =>
    operation === contract().readOperation
      ? undefined
      : [...byId.values()].findLast(
          (one) =>
            one.id < id && one.operation === contract().readOperation && one.resource === resource && accepted(one),
        );
  for (const id of exchanges) add(byId.get(id));
  // A violation in a sequence takes all of its steps.
  const last = Math.max(...exchanges);
  for (const number of new Set([...all].map(({ mark }) => mark?.sequence)))
    if (number !== undefined)
      for (const one of bySequence.get(number) ?? []) if (one.id <= last && !one.mark?.excluded) add(one);
  // What changed these fields of the same things before may be a part of why.
  const words = new Set(signature.match(/\w+/g));
  const things = new Set(exchanges.flatMap((id) => byId.get(id)?.resource ?? []));
  const room = mostRequests - all.size;
  if (all.size > 1 && room > 0)
    [...byId.values()]
      .filter(
        (one) =>
          one.id < last &&
          things.has(one.resource ?? '') &&
          !isStartRequest(one) &&
          !one.mark?.excluded &&
          Object.keys(requestBody(one) ?? {}).some((name) => words.has(name)),
      )
      .slice(-room)
      .forEach(add);
  return [...all].sort((a, b) => a.at - b.at || a.id - b.id);
}
