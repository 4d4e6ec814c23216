/** Adds to violations the scripts that reproduce them: finds the requests that do so together. */
import { contract } from '../contract.js';
import { accepted, answerBody, isCopyRequest, isId, isStartRequest, requestBody, traitsOf } from '../outcome/read.js';
import { expectation } from '../rule/violations.js';
import type { Exchange, RuleVerdict, Violation } from '../vocabulary.js';
import { curlScript, longestPauseMs } from './curl-script.js';
import { stateIn } from './recognition.js';
import { visible } from './text.js';

/** Adds a script to each violation that takes more than one request to reproduce. */
export function withScripts<Id extends string>(
  rules: readonly RuleVerdict<Id>[],
  exchanges: readonly Exchange[],
): RuleVerdict<Id>[] {
  const past = pastOf(exchanges);
  return rules.map((rule) => {
    // What a single request shows comes first.
    const violations = rule.violations
      .map((violation) => withScript(violation, rule, past))
      .sort((a, b) => Number(a.again !== undefined) - Number(b.again !== undefined));
    const [first] = violations;
    return { ...rule, violations, ...(first && { why: expectation(first) }) };
  });
}

function withScript(violation: Violation, { level, id }: RuleVerdict<string>, past: Past): Violation {
  const sequence = sequenceOf(violation, past);
  if (sequence.length < 2 || sequence.length > mostRequests) return violation;
  const heading = [`${level} ${id}`, expectation(violation)].map(visible);
  return { ...violation, again: curlScript(sequence, violation, heading) };
}

/** A longer script would be no help. */
const mostRequests = 20;

/** The exchanges of a run, and what made and ended the things in them. */
interface Past {
  readonly byId: ReadonlyMap<number, Exchange>;
  /** The accepted starts and duplications, by the id of what they made, in lower case. */
  readonly makers: ReadonlyMap<string, Exchange>;
  /** When each thing was first seen to have ended, by its id in lower case. */
  readonly ends: ReadonlyMap<string, number>;
}

const pastOf = (exchanges: readonly Exchange[]): Past => ({
  byId: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
  makers: makersOf(exchanges),
  ends: endsOf(exchanges),
});

/** Latest first, so that the earliest stays of those with the same id. */
const makersOf = (exchanges: readonly Exchange[]): ReadonlyMap<string, Exchange> =>
  new Map(
    exchanges.toReversed().flatMap((exchange): [string, Exchange][] => {
      const { key } = traitsOf(exchange) ?? {};
      const isMaker = (isStartRequest(exchange) || isCopyRequest(exchange)) && accepted(exchange);
      const id = isMaker && key ? answerBody(exchange)?.[key] : undefined;
      return typeof id === 'string' ? [[id.toLowerCase(), exchange]] : [];
    }),
  );

const endsOf = (exchanges: readonly Exchange[]): ReadonlyMap<string, number> =>
  new Map(
    exchanges.toReversed().flatMap((exchange): [string, number][] => {
      const { key } = traitsOf(exchange) ?? {};
      const id = isStartRequest(exchange) && key ? answerBody(exchange)?.[key] : exchange.resource;
      const state = stateIn(exchange.response?.body);
      const isEnd = state !== undefined && contract().isTerminal(state);
      return isEnd && typeof id === 'string' ? [[id.toLowerCase(), exchange.at + exchange.durationMs]] : [];
    }),
  );

/**
 * The exchanges that show a violation, with all that they need: see `addWithNeeds`. Also earlier changes of the same
 * fields, as far as there is room. In the order of sending.
 */
function sequenceOf({ exchanges, signature }: Violation, past: Past): Exchange[] {
  const all = new Set<Exchange>();
  const shown = exchanges.flatMap((id) => past.byId.get(id) ?? []);
  const last = Math.max(...exchanges);
  for (const one of shown) addWithNeeds(one, past, all);
  const room = mostRequests - all.size;
  if (all.size > 1 && room > 0)
    for (const one of earlierChanges(shown, last, signature, past).slice(-room)) addWithNeeds(one, past, all);
  return [...all].sort((a, b) => a.at - b.at || a.id - b.id);
}

/**
 * Adds an exchange and what it needs: the one that made its thing, the last reading of that if it was waited for, and
 * what a start stood beside.
 */
function addWithNeeds(exchange: Exchange, past: Past, all: Set<Exchange>): void {
  if (all.has(exchange)) return;
  all.add(exchange);
  const needs = isStartRequest(exchange) ? startsBeside(exchange, past) : [];
  const maker = past.makers.get(exchange.resource?.toLowerCase() ?? '');
  if (maker && maker.id < exchange.id) {
    needs.push(maker);
    if (exchange.at - maker.at > longestPauseMs) needs.push(...lastReading(exchange, past));
  }
  for (const one of needs) addWithNeeds(one, past, all);
}

/** What the same scenario had started with the same things, and had not ended. */
function startsBeside(start: Exchange, { makers, ends }: Past): Exchange[] {
  const ids = idsSent(start);
  return [...makers].flatMap(([id, other]) =>
    isStartRequest(other) &&
    other.id < start.id &&
    other.mark?.scenario === start.mark?.scenario &&
    !((ends.get(id) ?? Number.POSITIVE_INFINITY) < start.at) &&
    idsSent(other).some((one) => ids.includes(one))
      ? other
      : [],
  );
}

/** The ids in the body of a request. */
const idsSent = ({ request: { body } }: Exchange): readonly string[] =>
  body.kind === 'json'
    ? JSON.stringify(body.value)
        .split('"')
        .filter(isId)
        .map((id) => id.toLowerCase())
    : [];

/** The last reading of its thing before a request that is no reading itself. */
function lastReading({ id, resource, operation }: Exchange, { byId }: Past): Exchange[] {
  const { readOperation } = contract();
  const isReading = (one: Exchange) => one.operation === readOperation && one.resource === resource && accepted(one);
  return operation === readOperation ? [] : [...byId.values()].filter((one) => one.id < id && isReading(one)).slice(-1);
}

/** What changed the fields that a violation names on the same things before: it may be a part of why. */
function earlierChanges(shown: readonly Exchange[], last: number, signature: string, { byId }: Past): Exchange[] {
  const words = new Set(signature.match(/\w+/g));
  const things = new Set(shown.flatMap(({ resource }) => resource ?? []));
  return [...byId.values()].filter(
    (one) =>
      one.id < last &&
      things.has(one.resource ?? '') &&
      !isStartRequest(one) &&
      !one.mark?.excluded &&
      Object.keys(requestBody(one) ?? {}).some((name) => words.has(name)),
  );
}
