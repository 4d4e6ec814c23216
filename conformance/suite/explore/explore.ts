/** Exploration: sends generated requests, to find what the journeys do not. */

import fc from 'fast-check';
import {
  type Operation,
  type OperationId,
  operationIds,
  operations,
  type Resource,
} from '../../../generated/operations.js';
import { accepted, changesOrEnds, isAbout, isCopyRequest } from '../../engine/outcome/read.js';
import { withMeasuredLatency } from '../../engine/rule/far-away.js';
import { Halt } from '../../engine/send/halt.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import { allows } from '../../engine/settings/needs.js';
import type { Exchange, Exploration } from '../../engine/vocabulary.js';
import { workpieceOf } from '../copies/workpiece.js';
import { allOrThrow, type Driver } from '../driver.js';
import { type InvalidBody, invalidBodies } from '../invalid-bodies.js';
import { effectOf, madeUpPlace, type Place, placeOf } from '../known-places.js';
import { Editor } from '../profiles/editor.js';
import { type ArbitraryRequest, arbitraryRequest } from './arbitrary.js';
import { trySequences } from './sequences.js';
import { violationFinder as judging, type ViolationFinder } from './violation-finder.js';

/** Where wrong bodies go: to real ids, so that only the body can be refused, if an acceptance is allowed. */
interface Target extends Place {
  readonly operation: OperationId;
}

/** The operations that take wrong bodies, but those that end what they are asked of. */
const withBodies = operationIds.filter(
  (operation) => invalidBodies(operation).length > 0 && (operations[operation] as Operation).effect !== 'ends',
);

/** The steps that send the same with a right body. By default any accepted request of the operation will do. */
const twinsOf: { readonly [operation in OperationId]?: readonly string[] } = {
  updateProfile: ['explore/baseline'],
  duplicateProfile: ['profile/duplicate'],
};

/** A target without state takes any id. */
function targetOf(driver: Driver, operation: OperationId): Target | undefined {
  const { facts } = driver;
  const { subject, pathParameters }: Operation = operations[operation];
  const declared: { readonly [subject in Resource]?: string | undefined } = {
    workflow: facts.workflows.completes,
    profile: facts.profile,
  };
  if (!subject || !(subject in declared) || pathParameters.length > 1) {
    const place = placeOf(driver, operation);
    return place && { operation, ...place };
  }
  const id = declared[subject];
  return driver.isDeclared(id) ? { operation, id: driver.id(id) } : undefined;
}

/** Stop after so many accepted wrong bodies of an operation: a service acts on each of them. */
const enough = 3;
/** The shares of wrong bodies (at most) and sequences; odd requests are the rest. */
const shares = { wrong: 1 / 4, sequences: 1 / 2 };
/** Searches in parallel. */
const lanes = 4;

/**
 * Sends requests that nobody wrote: first wrong bodies made from the schemas, on real ids if allowed; then sequences of
 * valid requests; then odd requests on unknown ids. If a sequence or an odd request breaks a rule, looks for the
 * shortest or smallest that does, and only that one is judged. Resolves to what was found, or to why it ended early, in
 * words.
 */
export async function explore(
  driver: Driver,
  { requests, seed }: Exploration,
  oracle: ViolationFinder = judging(withMeasuredLatency(driver.facts, driver.evidence.exchanges)),
): Promise<string[]> {
  try {
    return await found(driver, requests, seed, oracle);
  } catch (error) {
    if (error instanceof Halt) return [`The exploration ended early: ${error.message}`];
    throw error;
  }
}

async function found(driver: Driver, requests: number, seed: number, oracle: ViolationFinder): Promise<string[]> {
  const wrong = await tryWrongBodies(driver, Math.floor(requests * shares.wrong), seed);
  const sequences = await trySequences(driver, Math.floor(requests * shares.sequences), seed, oracle);
  const ways = [...sequences.found];
  const sent = wrong + sequences.sent;
  const brokenBefore = new Set<string>();
  const share = Math.ceil((requests - sent) / lanes);
  await allOrThrow(
    Array.from({ length: lanes }, async (_, lane) => {
      for await (const one of search(driver, oracle, { requests: share, seed: seed + lane }, brokenBefore))
        ways.push(one);
    }),
  );
  return ways;
}

/** Returns how many were sent. */
async function tryWrongBodies(driver: Driver, most: number, seed: number): Promise<number> {
  const { facts } = driver;
  const open = withBodies
    .filter((operation) => allows(facts.allow, effectOf(operation)))
    .flatMap((operation) => targetOf(driver, operation) ?? []);
  const isWritten = ({ operation }: Target) => effectOf(operation) === 'write';
  const editor = new Editor(driver, driver.id(facts.profile));
  const editable = open.some(isWritten) && (await editor.open());
  const piece = workpieceOf(driver, editor.id);
  const usable = open.filter((one) => !isWritten(one) || editable);
  let sent = 0;
  try {
    await allOrThrow(
      usable.map(async (place) => {
        let taken = 0;
        for (const wrong of shuffled(invalidBodies(place.operation), seed).slice(0, Math.floor(most / usable.length))) {
          // If one is accepted, it makes a copy.
          if (isCopyRequest(place) && driver.budget.copiesLeft <= 0) return;
          sent += 1;
          if (accepted(await tryWrong(driver, place, wrong, piece))) taken += 1;
          if (taken === enough) return;
        }
      }),
    );
  } finally {
    if (editable) await editor.restore();
  }
  return sent;
}

const tryWrong = (
  driver: Driver,
  { operation, ...place }: Target,
  { rule, fault, body }: InvalidBody,
  /** The profile that is changed instead of the declared one. */
  piece: string | undefined,
): Promise<Exchange> =>
  driver.probe(rule, fault, twinsOf[operation] ?? { except: Object.keys(body) }, {
    step: 'wrong',
    operation,
    ...place,
    ...(piece !== undefined && changesOrEnds({ operation }) && isAbout({ operation }, 'profile') && { id: piece }),
    body,
  });

const shuffled = <T>(all: readonly T[], seed: number): T[] =>
  fc.sample(fc.shuffledSubarray([...all], { minLength: all.length }), { numRuns: 1, seed })[0] ?? [];

/** What odd requests show, in words. `known` is what was found already, in any of the parallel searches. */
async function* search(
  driver: Driver,
  oracle: ViolationFinder,
  { requests, seed }: Exploration,
  known: Set<string>,
): AsyncGenerator<string> {
  for (let left = requests, next = seed; left > 0; next += lanes) {
    let wanted: string | undefined;
    const holds = async (request: ArbitraryRequest): Promise<boolean> => {
      const exchange = await driver.send(asked(driver, request, 'odd'));
      const broken = oracle.inAnswer(exchange);
      wanted ??= broken.find((violation) => !known.has(violation));
      const stands = wanted === undefined || !broken.includes(wanted);
      if (broken.length > 0) driver.exclude(exchange);
      return stands;
    };
    const outcome = await fc.check(fc.asyncProperty(arbitraryRequest, holds), { seed: next, numRuns: left });
    left -= outcome.numRuns;
    const [smallest] = outcome.counterexample ?? [];
    if (!smallest || wanted === undefined) return;
    const fresh = !known.has(wanted);
    known.add(wanted);
    if (!fresh) continue;
    await driver.send(asked(driver, smallest, 'smallest'));
    yield `${wanted}: ${inWords(smallest)} (seed ${outcome.seed}, ${outcome.numShrinks} steps smaller).`;
  }
}

const asked = (driver: Driver, { operation, id, text }: ArbitraryRequest, step: string): RequestSpec => ({
  step,
  operation,
  ...madeUpPlace(driver, operation, id),
  ...(text !== undefined && { raw: { text, type: 'application/json' } }),
  unjudged: true,
});

const inWords = ({ operation, id, text }: ArbitraryRequest): string =>
  [
    `${operations[operation].method} ${operation}`,
    ...(id === undefined ? [] : [`with the id ${JSON.stringify(id)}`]),
    text === undefined ? 'without a body' : `with the body ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`,
  ].join(' ');
