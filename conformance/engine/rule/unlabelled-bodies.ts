/**
 * Requests whose body does not say that it is JSON. Whether such a body is read, passed over or refused is not shown, so of
 * one that was accepted nobody knows what it asked for: its answer tells nothing, and what it may have changed is unknown.
 */
import { contract } from '../contract.js';
import { memoize } from '../memoize.js';
import { accepted, sendsOtherThanJson } from '../outcome/read.js';
import type { Evidence, Exchange, Judge, ProfileHistory, Trace } from '../vocabulary.js';

const isOpaque = memoize(
  (exchange: Exchange): boolean =>
    exchange.operation !== null &&
    exchange.operation in contract().requests &&
    sendsOtherThanJson(exchange) &&
    accepted(exchange),
);

/** As one whose answer was lost: whether it took effect is not known. */
const asLost = memoize(({ response: _, ...exchange }: Exchange): Exchange => {
  const message = 'The body of the request was not labelled as JSON, so what it asked for is unclear.';
  return { ...exchange, failure: { kind: 'broken', message } };
});

const asHeard = memoize((exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.some(isOpaque) ? exchanges.map((one) => (isOpaque(one) ? asLost(one) : one)) : exchanges,
);

const trace = memoize((one: Trace): Trace => {
  if (!one.start || !isOpaque(one.start)) return one;
  const { start: _, ...rest } = one;
  return rest;
});

const profile = memoize((one: ProfileHistory): ProfileHistory => {
  const exchanges = asHeard(one.exchanges);
  if (exchanges === one.exchanges && !(one.origin && isOpaque(one.origin)) && !one.related?.some(isOpaque)) return one;
  const { origin, related, ...rest } = one;
  return {
    ...rest,
    exchanges,
    ...(origin && !isOpaque(origin) && { origin }),
    ...(related && { related: asHeard(related) }),
  };
});

const evidence = memoize((all: Evidence): Evidence => {
  const exchanges = asHeard(all.exchanges);
  if (exchanges === all.exchanges) return all;
  return { ...all, exchanges, traces: all.traces.map(trace), profiles: all.profiles.map(profile) };
});

/** A judge that does not see requests whose body was not labelled as JSON. */
export const ignoringUnlabelled = (judge: Judge): Judge => ({
  ...(judge.exchange && { exchange: (one, facts) => (isOpaque(one) ? undefined : judge.exchange?.(one, facts)) }),
  ...(judge.trace && { trace: (one, facts) => judge.trace?.(trace(one), facts) }),
  ...(judge.profile && { profile: (one, facts) => judge.profile?.(profile(one), facts) }),
  ...(judge.run && { run: (all, facts) => judge.run?.(evidence(all), facts) }),
});
